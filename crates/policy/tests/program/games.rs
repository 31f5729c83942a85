//! Noughts and crosses, rule by rule.

use graftage_policy::program::{ExplorationLimits, Property, verify};

use super::*;

const LINES: [[u8; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

fn all(player: char) -> String {
    (0..9).map(|cell| format!(" {player}{cell}")).collect()
}

/// The rules: turns, taken cells, wins that end the game.
fn rules() -> String {
    let (x, o) = (all('X'), all('O'));
    let mut text = String::new();
    for player in ['X', 'O'] {
        for [a, b, c] in LINES {
            let line = format!("wait {player}{a} {player}{b} {player}{c}");
            text +=
                &format!("{player}{a}{b}{c}: {line} / {line} / {line} / request {player}-wins\n");
        }
    }
    text += &format!("end: wait X-wins O-wins / block{x}{o} X-wins O-wins\n");
    for cell in 0..9 {
        text += &format!("taken{cell}: wait X{cell} O{cell} / block X{cell} O{cell}\n");
    }
    text += &format!("turns*: wait{x};block{o} / wait{o};block{x}\n");
    text
}

fn moves() -> Vec<Event> {
    ['X', 'O']
        .iter()
        .flat_map(|player| (0..9).map(move |cell| event(&format!("{player}{cell}"))))
        .collect()
}

#[test]
fn moves_out_of_turn_or_on_taken_cells_are_blocked_by_the_rule_they_break() {
    let mut run = start(&rules());
    let offers = ["X0", "X1", "O0", "O1", "X3", "O4", "X6", "O8"];
    let got = names(&mut run, &offers);
    assert_eq!(got, "X0 !X1(turns) !O0(taken0) O1 X3 O4 X6 X-wins !O8(end)");
}

#[test]
fn the_whole_game_is_explored() {
    let report = verify(
        &program(&rules()),
        &moves(),
        &[
            Property::Possible("X-wins".parse().unwrap()),
            Property::Possible("O-wins".parse().unwrap()),
        ],
        ExplorationLimits::default(),
    );
    assert!(report.is_verified(), "{report:?}");
    // 5,478 boards and 942 ends of those that are won, by a search of its own; 26 boards have the same
    // cells taken and as many of each player in each line as another, so no rule can separate them.
    assert_eq!((report.states, report.edges), (5_478 + 942 - 26, 17_079));
}

/// Strategy of `O`: complete a line, else stop one, else the centre, a corner, an edge.
fn strategy() -> String {
    let mut text = String::new();
    for (player, name) in [('O', "complete"), ('X', "stop")] {
        for [a, b, c] in LINES {
            for (own, [p, q]) in [(c, [a, b]), (b, [a, c]), (a, [b, c])] {
                let wait = format!("wait {player}{p} {player}{q}");
                text += &format!("{name}{p}{q}{own}: {wait} / {wait} / request O{own};terminal\n");
            }
        }
    }
    for cell in [4, 0, 2, 6, 8, 1, 3, 5, 7] {
        text += &format!("prefer{cell}*: request O{cell};terminal\n");
    }
    text
}

#[test]
fn a_strategy_without_an_answer_to_forks_loses_and_the_trace_replays() {
    let text = rules() + &strategy();
    let program = program(&text);
    let x: Vec<Event> = moves().into_iter().filter(|it| it.name.starts_with('X')).collect();
    let never = [Property::Never("X-wins".parse().unwrap())];
    let report = verify(&program, &x, &never, ExplorationLimits::default());
    assert!(report.complete);
    let trace = &report.violations[0].trace;
    assert_eq!(trace.last().unwrap().name, "X-wins");
    start(&text).replay(trace).unwrap();
}
