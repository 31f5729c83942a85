//! Budgets: exact sums, and no request that could exceed what is left.

use std::sync::Arc;

use graftage_model::language::{
    Account, Budget, Budgeted, LanguageModel, PriceTable, Retried, RetryPolicy, Scripted,
    ScriptedAnswer, ScriptedTurn, StopReason, Turn, TurnDelta, TurnError, TurnRequest, Usage,
};
use proptest::prelude::*;

use super::server::{Reply, serve};
use super::{BOTH, request, turn, user};

/// 3 dollars per million tokens of input, 15 of output.
const PRICES: &str = "[[price]]\nmodel = \"test-model\"\ninput = 3_000_000\noutput = 15_000_000\n\
                      cache_read = 300_000\ncache_write = 3_750_000\n\
                      [[price]]\nmodel = \"scripted\"\ninput = 7\noutput = 11\n\
                      cache_read = 1\ncache_write = 13\n";

fn account(max_tokens: Option<u64>, max_micro_dollars: Option<u64>) -> Arc<Account> {
    let prices = PriceTable::with_own(PRICES).unwrap();
    Account::new(Budget { max_tokens, max_micro_dollars }, prices)
}

/// The number of tokens of input that a request reserves.
fn reserved_input(request: &TurnRequest) -> u64 {
    serde_json::to_vec(request).unwrap().len() as u64 + 1024
}

#[test]
fn sums_are_exact_and_the_budget_stops_before_it_is_exceeded() {
    for format in BOTH {
        let request = request();
        // A turn costs 1000 * 3 + 100 * 15 = 4,500 micro-dollars.
        let worst = reserved_input(&request) * 375 / 100 + 1000 * 15;
        let limit = 4_500 + worst;
        let replies = (0..9).map(|_| Reply::Stream(format.text_stream("ok", 1000, 100)));
        let (url, asked) = serve(replies.collect());
        let account = account(None, Some(limit));
        let model = Budgeted::new(format.client(&url), account.clone());
        let mut turns = 0;
        let error = loop {
            match turn(&model, &request).0 {
                Ok(_) => turns += 1,
                Err(error) => break error,
            }
        };
        let spend = account.spend();
        assert!(turns >= 2, "{turns}");
        assert_eq!(spend.micro_dollars, turns * 4_500);
        assert_eq!((spend.requests, spend.unreported, spend.unpriced), (turns, 0, 0));
        assert_eq!(spend.usage.total(), turns * 1100);
        assert!(spend.micro_dollars <= limit);
        assert!(matches!(&error, TurnError::Budget { unit, most, spent, .. }
            if unit == "micro-dollars" && *most == limit && *spent == turns * 4_500));
        // The refused turn was not sent.
        assert_eq!(asked.try_iter().count() as u64, turns);
    }
}

#[test]
fn the_output_is_lowered_to_what_is_left() {
    for format in BOTH {
        let request = request();
        let input = reserved_input(&request);
        let streams = (0..2).map(|_| Reply::Stream(format.text_stream("ok", 10, 400)));
        let (url, asked) = serve(streams.collect());
        let account = account(Some(input + 700), None);
        let model = Budgeted::new(format.client(&url), account.clone());
        assert!(turn(&model, &request).0.is_ok());
        assert_eq!(asked.recv().unwrap().body["max_tokens"], 700);
        // Another request, of which nothing is known: its bytes count.
        let other = TurnRequest { system: "Be kind.  ".to_owned(), ..request.clone() };
        assert_eq!(reserved_input(&other), input + 1);
        assert!(turn(&model, &other).0.is_ok());
        assert_eq!(asked.recv().unwrap().body["max_tokens"], 289);
        let refused = turn(&model, &request).0.unwrap_err();
        assert_eq!(
            refused,
            TurnError::Budget {
                unit: "tokens".to_owned(),
                most: input + 700,
                spent: 820,
                needed: input + 256,
            }
        );
        assert_eq!(account.spend().usage.total(), 820);
    }
}

#[test]
fn a_request_that_continues_a_counted_one_reserves_only_what_is_new() {
    for format in BOTH {
        let first = TurnRequest { messages: vec![user(&"x".repeat(40_000))], ..request() };
        let streams = (0..2).map(|_| Reply::Stream(format.text_stream("ok", 9_000, 10)));
        let (url, asked) = serve(streams.collect());
        // Enough for the bytes of the first request, once.
        let account = account(Some(reserved_input(&first) + 1000), None);
        let model = Budgeted::new(format.client(&url), account.clone());
        assert!(turn(&model, &first).0.is_ok());
        let mut second = first.clone();
        second.messages.push(user("More."));
        assert!(turn(&model, &second).0.is_ok());
        assert_eq!(asked.try_iter().count(), 2);
        let changed = TurnRequest { system: "Else.".to_owned(), ..second };
        assert!(matches!(turn(&model, &changed).0, Err(TurnError::Budget { .. })));
        assert_eq!(account.spend().usage.total(), 2 * 9_010);
    }
}

#[test]
fn failed_turns_cost_what_the_provider_may_charge() {
    for format in BOTH {
        let request = request();
        let input = reserved_input(&request);
        let charged = |reply: Reply| {
            let (url, _asked) = serve(vec![reply]);
            let account = account(None, None);
            let model = Budgeted::new(format.client(&url), account.clone());
            assert!(turn(&model, &request).0.is_err());
            account.spend().usage
        };
        // Nothing for a refusal.
        let refused = charged(Reply::Status(529, "", Vec::new()));
        assert_eq!(refused, Usage::default());
        // All that was reserved for an answer that was cut; the input where it was reported.
        let cut = charged(Reply::CutStream(format.text_start("x", 33)));
        let known = if format == super::Format::Anthropic { 33 } else { input };
        assert_eq!((cut.input_tokens, cut.output_tokens), (known, 1000));
    }
}

#[test]
fn missing_usage_is_charged_with_the_worst_case() {
    let request = request();
    let stream = super::Format::OpenAi.text_start("x", 0)
        + "data: {\"choices\":[{\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let (url, _asked) = serve(vec![Reply::Stream(stream)]);
    let account = account(None, None);
    let model = Budgeted::new(super::Format::OpenAi.client(&url), account.clone());
    assert!(turn(&model, &request).0.is_ok());
    let spend = account.spend();
    assert_eq!(spend.usage.total(), reserved_input(&request) + 1000);
    assert_eq!(spend.unreported, 1);
}

#[test]
fn each_retry_is_paid_on_its_own() {
    for format in BOTH {
        let request = request();
        let input = reserved_input(&request);
        let cut = || Reply::CutStream(": hello\n\n".to_owned());
        let (url, asked) = serve(vec![cut(), cut(), cut()]);
        // Enough for one request that was cut, not for a second one.
        let account = account(Some(2 * input + 1000 + 200), None);
        let policy =
            RetryPolicy { first_pause: std::time::Duration::ZERO, ..RetryPolicy::default() };
        let model = Retried::new(Budgeted::new(format.client(&url), account.clone()), policy);
        let (outcome, deltas) = turn(&model, &request);
        assert!(matches!(outcome, Err(TurnError::Budget { .. })), "{outcome:?}");
        assert!(deltas.iter().any(|delta| matches!(delta, TurnDelta::Retrying { .. })));
        assert_eq!((asked.try_iter().count(), account.spend().requests), (1, 1));
    }
}

#[test]
fn a_model_without_price_is_refused_only_when_money_is_limited() {
    use base::Hint;
    let model = || {
        Scripted::new(vec![Turn {
            parts: Vec::new(),
            stop: StopReason::EndTurn,
            usage: Usage { input_tokens: 1, output_tokens: 1, ..Usage::default() },
            model: String::new(),
        }])
    };
    let shipped = |budget| Account::new(budget, PriceTable::shipped());
    let money = Budget { max_micro_dollars: Some(u64::MAX), ..Budget::default() };
    let error = turn(&Budgeted::new(model(), shipped(money)), &request()).0.unwrap_err();
    assert!(error.hint().unwrap().contains("`scripted`"), "{error}");
    let tokens = shipped(Budget { max_tokens: Some(100_000), ..Budget::default() });
    assert!(turn(&Budgeted::new(model(), tokens.clone()), &request()).0.is_ok());
    assert_eq!((tokens.spend().micro_dollars, tokens.spend().unpriced), (0, 1));
}

#[test]
fn recorded_turns_are_charged_without_being_sent() {
    let account = account(None, Some(10));
    let usage = Usage { input_tokens: 1, output_tokens: 1, ..Usage::default() };
    account.charge("scripted", &usage);
    account.charge("scripted", &usage);
    // 36 pico-dollars, rounded up.
    assert_eq!((account.spend().micro_dollars, account.spend().requests), (1, 2));
}

proptest! {
    /// A provider that uses up to what it is allowed never exceeds the budget.
    #[test]
    fn what_is_spent_never_exceeds_the_budget(
        max_tokens in prop::option::of(0_u64..20_000),
        max_micro_dollars in prop::option::of(0_u64..300_000),
        turns in prop::collection::vec((0_u64..2_000, 0_u64..2_000, any::<bool>()), 1..20),
    ) {
        let prices = "[[price]]\nmodel = \"scripted\"\ninput = 3_000_000\noutput = 15_000_000\n\
                      cache_read = 300_000\ncache_write = 3_750_000\n";
        let prices = PriceTable::with_own(prices).unwrap();
        let account = Account::new(Budget { max_tokens, max_micro_dollars }, prices);
        for (input, output, is_cut) in turns {
            let request = TurnRequest { max_tokens: 1500, ..request() };
            let left = max_tokens.map_or(u64::MAX, |most| most - account.spend().usage.total());
            let input = input.min(reserved_input(&request));
            let output = output.min(1500).min(left.saturating_sub(reserved_input(&request)));
            let output = match max_micro_dollars {
                Some(most) => {
                    let left = most - account.spend().micro_dollars;
                    output.min(left.saturating_sub(reserved_input(&request) * 375 / 100 + 2) / 15)
                }
                None => output,
            };
            let usage = Usage { input_tokens: 0, output_tokens: output, cache_write_tokens: input, ..Usage::default() };
            let answer = match is_cut {
                true => ScriptedAnswer::Error(TurnError::Interrupted { reason: String::new() }),
                false => ScriptedAnswer::Turn(Turn {
                    parts: Vec::new(),
                    stop: StopReason::EndTurn,
                    usage,
                    model: String::new(),
                }),
            };
            let prepared = ScriptedTurn { expect: Default::default(), answer };
            let model = Budgeted::new(Scripted::with_expectations(vec![prepared]), account.clone());
            let _ = model.turn(&testkit::ctx(), &request, &mut |_| {});
            let spend = account.spend();
            prop_assert!(spend.usage.total() <= max_tokens.unwrap_or(u64::MAX));
            prop_assert!(spend.micro_dollars <= max_micro_dollars.unwrap_or(u64::MAX));
        }
    }
}
