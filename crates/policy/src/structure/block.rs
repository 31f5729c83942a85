//! The order of a block.

use super::{Block, Constraint};
use crate::program::{Pattern, Property, Steps, Sync, ThreadBody};

impl Constraint for Block {
    fn body(&self) -> ThreadBody {
        let step = |(at, wait): (usize, &Pattern)| Sync {
            wait: vec![wait.clone()],
            block: self
                .order
                .iter()
                .enumerate()
                .filter(|it| it.0 != at)
                .map(|it| it.1.clone())
                .collect(),
            ..Sync::default()
        };
        let steps = self.order.iter().enumerate().map(step).collect();
        ThreadBody::Steps(Steps { steps, repeat: true, cleanup: Vec::new() })
    }

    fn properties(&self) -> Vec<Property> {
        let next = |pair: &[Pattern]| Property::OnlyAfter {
            event: pair[1].clone(),
            after: pair[0].clone(),
            until: vec![pair[1].clone()],
        };
        let possible = self.order.last().map(|last| Property::Possible(last.clone()));
        self.order.windows(2).map(next).chain(possible).collect()
    }
}
