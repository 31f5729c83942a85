"""An agent on the official library of Python that delegates over Agent2Agent: it calls all eleven operations, by the
binding that it is given. Prints what it saw as JSON."""
import asyncio
import json
import sys

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import a2a_pb2 as wire

TASK = json.loads(sys.argv[1])
SEEN = {"called": []}


def message(text, number, task=None):
    made = wire.Message(message_id=f"{TASK['binding']}-{number}", role=wire.ROLE_USER)
    made.parts.add().text = text
    if task:
        made.task_id = task
    return wire.SendMessageRequest(message=made)


async def last(stream):
    """The id and the last state of the task of a stream."""
    task, state = None, None
    async for event in stream:
        if event.HasField("task"):
            task, state = event.task.id, event.task.status.state
        elif event.HasField("status_update"):
            task, state = event.status_update.task_id, event.status_update.status.state
    return task, wire.TaskState.Name(state)


async def main():
    headers = {"Authorization": f"Bearer {TASK['token']}"}
    async with httpx.AsyncClient(headers=headers, timeout=180) as http:
        card = await A2ACardResolver(http, TASK["url"]).get_agent_card()
        SEEN["agent"] = card.name

        def client(streaming):
            config = ClientConfig(
                streaming=streaming,
                httpx_client=http,
                supported_protocol_bindings=[TASK["binding"]],
                use_client_preference=True,
            )
            return ClientFactory(config).create(card)

        once, streams = client(False), client(True)
        task, SEEN["sent"] = await last(once.send_message(message("search three", 1)))
        SEEN["called"].append("SendMessage")
        question, SEEN["streamed"] = await last(streams.send_message(message("finish", 2)))
        SEEN["called"].append("SendStreamingMessage")
        got = await once.get_task(wire.GetTaskRequest(id=task))
        SEEN["called"] += ["GetTask"] if got.id == task else []
        listed = await once.list_tasks(wire.ListTasksRequest())
        SEEN["called"] += ["ListTasks"] if {it.id for it in listed.tasks} >= {task, question} else []
        config = wire.TaskPushNotificationConfig(task_id=question, id="hook", url="http://example.com/hook")
        await once.create_task_push_notification_config(config)
        SEEN["called"].append("CreateTaskPushNotificationConfig")
        named = {"task_id": question, "id": "hook"}
        await once.get_task_push_notification_config(wire.GetTaskPushNotificationConfigRequest(**named))
        SEEN["called"].append("GetTaskPushNotificationConfig")
        hooks = await once.list_task_push_notification_configs(
            wire.ListTaskPushNotificationConfigsRequest(task_id=question)
        )
        SEEN["called"] += ["ListTaskPushNotificationConfigs"] if len(hooks.configs) == 1 else []
        await once.delete_task_push_notification_config(wire.DeleteTaskPushNotificationConfigRequest(**named))
        SEEN["called"].append("DeleteTaskPushNotificationConfig")
        follower = asyncio.create_task(last(streams.subscribe(wire.SubscribeToTaskRequest(id=question))))
        await asyncio.sleep(0.3)
        canceled = await once.cancel_task(wire.CancelTaskRequest(id=question))
        SEEN["canceled"] = wire.TaskState.Name(canceled.status.state)
        SEEN["called"].append("CancelTask")
        _, SEEN["subscribed"] = await asyncio.wait_for(follower, 60)
        SEEN["called"].append("SubscribeToTask")
        extended = await once.get_extended_agent_card(wire.GetExtendedAgentCardRequest())
        SEEN["called"] += ["GetExtendedAgentCard"] if extended.skills else []
    print(json.dumps(SEEN))


asyncio.run(main())
