//! Budgets of tokens and money: [`Budgeted`] reserves the worst case of a turn before it sends it,
//! so that what is spent never exceeds the budget.
//!
//! The worst case of the input is one token per byte of the request, plus a constant for what the
//! provider adds: no tokenizer makes more. Where a request continues an earlier one, the tokens of
//! that are known, and only the bytes after it count. The real number is about a quarter of the
//! bytes, so a budget stops the work while up to that difference is left. Money is counted in
//! pico-dollars, exactly; only a reported sum is rounded, up to the next micro-dollar.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use base::{Ctx, LogEntry};
use serde::{Deserialize, Serialize};

use super::error::TurnError;
use super::prices::{Price, PriceTable};
use super::turn::{LanguageModel, Turn, TurnDelta, TurnRequest, Usage};

/// Tokens that a provider adds to a request: the instructions for tools, marks of roles.
const HIDDEN_TOKENS: u64 = 1024;
/// The same for each message that continues a known request.
const HIDDEN_TOKENS_OF_MESSAGE: u64 = 64;
/// Fewest tokens of output for which a turn with a larger limit is sent: fewer are of no use.
const MIN_OUTPUT: u64 = 256;
/// Pico-dollars per micro-dollar.
const PICO: u128 = 1_000_000;

/// Limits of what a run may use; `None`: no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Budget {
    /// Tokens, of input and output.
    pub max_tokens: Option<u64>,
    /// Money in micro-dollars.
    pub max_micro_dollars: Option<u64>,
}

/// What was used so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spend {
    /// Number of requests that were charged, with those that failed.
    pub requests: u64,
    /// Requests whose usage the provider did not report in full; charged with the worst case.
    pub unreported: u64,
    /// Requests to models without a price; they are not part of the sum.
    pub unpriced: u64,
    /// Tokens.
    pub usage: Usage,
    /// Money in micro-dollars, rounded up.
    pub micro_dollars: u64,
}

/// A budget, the prices and what was used; shared by all models of a run.
#[derive(Debug)]
pub struct Account {
    budget: Budget,
    prices: PriceTable,
    state: Mutex<State>,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    spend: Spend,
    pico_spent: u128,
    tokens_reserved: u64,
    pico_reserved: u128,
}

/// The worst case of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reservation {
    input: u64,
    output: u64,
    pico: u128,
}

impl Account {
    /// An account from which nothing was used.
    pub fn new(budget: Budget, prices: PriceTable) -> Arc<Self> {
        Arc::new(Self { budget, prices, state: Mutex::default() })
    }

    /// What was used so far.
    pub fn spend(&self) -> Spend {
        let state = base::lock(&self.state);
        Spend { micro_dollars: micro_dollars(state.pico_spent), ..state.spend }
    }

    /// Charges a turn that was not sent through [`Budgeted`], such as one of a recorded run that
    /// is resumed.
    pub fn charge(&self, model: &str, usage: &Usage) {
        base::lock(&self.state).charge(usage, self.prices.price(model));
    }

    /// Reserves the worst case of a turn with `input` tokens and up to `max_output` tokens of
    /// output; reserves less output where the budget has less left.
    fn reserve(&self, model: &str, input: u64, max_output: u64) -> Result<Reservation, TurnError> {
        let price = self.prices.price(model);
        if self.budget.max_micro_dollars.is_some() && price.is_none() {
            return Err(TurnError::NoPrice { model: model.to_owned() });
        }
        let price = price.unwrap_or_default();
        let mut state = base::lock(&self.state);
        let least = MIN_OUTPUT.min(max_output);
        let mut output = max_output;
        if let Some(most) = self.budget.max_tokens {
            let spent = state.spend.usage.total().saturating_add(state.tokens_reserved);
            let needed = input.saturating_add(least);
            let left = most.saturating_sub(spent);
            if needed > left {
                return Err(TurnError::Budget { unit: "tokens".to_owned(), most, spent, needed });
            }
            output = output.min(left - input);
        }
        let input_cost = u128::from(price.highest_input()) * u128::from(input);
        if let Some(most) = self.budget.max_micro_dollars {
            let spent = state.pico_spent.saturating_add(state.pico_reserved);
            let output_cost = u128::from(price.output) * u128::from(least);
            let needed = input_cost.saturating_add(output_cost);
            let left = (u128::from(most) * PICO).saturating_sub(spent);
            if needed > left {
                return Err(TurnError::Budget {
                    unit: "micro-dollars".to_owned(),
                    most,
                    spent: micro_dollars(spent),
                    needed: micro_dollars(needed),
                });
            }
            let affordable = (left - input_cost).checked_div(u128::from(price.output));
            output =
                output.min(affordable.map_or(u64::MAX, |it| it.try_into().unwrap_or(u64::MAX)));
        }
        let pico = input_cost.saturating_add(u128::from(price.output) * u128::from(output));
        let reservation = Reservation { input, output, pico };
        state.tokens_reserved = state.tokens_reserved.saturating_add(reservation.tokens());
        state.pico_reserved = state.pico_reserved.saturating_add(pico);
        Ok(reservation)
    }

    /// Releases a reservation and charges what was used; `None`: nothing.
    fn settle(&self, model: &str, reserved: Reservation, used: Option<Charge>) {
        let mut state = base::lock(&self.state);
        state.tokens_reserved = state.tokens_reserved.saturating_sub(reserved.tokens());
        state.pico_reserved = state.pico_reserved.saturating_sub(reserved.pico);
        if let Some(charge) = used {
            state.charge(&charge.usage, self.prices.price(model));
            state.spend.unreported += u64::from(!charge.is_reported);
        }
    }
}

impl State {
    fn charge(&mut self, usage: &Usage, price: Option<Price>) {
        let spend = &mut self.spend;
        spend.requests += 1;
        spend.unpriced += u64::from(price.is_none());
        spend.usage = Usage {
            input_tokens: spend.usage.input_tokens.saturating_add(usage.input_tokens),
            output_tokens: spend.usage.output_tokens.saturating_add(usage.output_tokens),
            cache_read_tokens: spend
                .usage
                .cache_read_tokens
                .saturating_add(usage.cache_read_tokens),
            cache_write_tokens: spend
                .usage
                .cache_write_tokens
                .saturating_add(usage.cache_write_tokens),
        };
        self.pico_spent = self.pico_spent.saturating_add(price.unwrap_or_default().cost(usage));
    }
}

impl Reservation {
    fn tokens(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

/// What a turn is charged with.
struct Charge {
    usage: Usage,
    is_reported: bool,
}

impl Charge {
    /// The reported usage, with the worst case for counts that were not reported.
    fn of(usage: Usage, reserved: Reservation, is_complete: bool) -> Self {
        let has_input = usage.input() > 0;
        // The output of a turn that was cut was counted only in part, if at all.
        let has_output = is_complete && usage.output_tokens > 0;
        let mut charged = usage;
        if !has_input {
            charged.input_tokens = reserved.input;
        }
        if !has_output {
            charged.output_tokens = usage.output_tokens.max(reserved.output);
        }
        Self { usage: charged, is_reported: has_input && has_output }
    }
}

/// Micro-dollars, rounded up.
fn micro_dollars(pico: u128) -> u64 {
    pico.div_ceil(PICO).try_into().unwrap_or(u64::MAX)
}

/// A model whose turns are paid from an account.
#[derive(Debug)]
pub struct Budgeted<M> {
    model: M,
    account: Arc<Account>,
    /// The last request whose input the provider counted, and its tokens.
    counted: Mutex<Option<(TurnRequest, u64)>>,
}

impl<M: LanguageModel> Budgeted<M> {
    /// Pays the turns of `model` from `account`.
    pub fn new(model: M, account: Arc<Account>) -> Self {
        Self { model, account, counted: Mutex::default() }
    }

    /// The largest number of tokens of input that `request` can have.
    fn worst_input(&self, request: &TurnRequest) -> u64 {
        if let Some((counted, tokens)) = &*base::lock(&self.counted)
            && let Some(rest) = request.messages.strip_prefix(counted.messages.as_slice())
            && (&counted.system, &counted.tools, &counted.schema)
                == (&request.system, &request.tools, &request.schema)
        {
            let hidden = HIDDEN_TOKENS_OF_MESSAGE.saturating_mul(rest.len() as u64 + 1);
            return tokens.saturating_add(json_len(&rest)).saturating_add(hidden);
        }
        json_len(request).saturating_add(HIDDEN_TOKENS)
    }
}

/// Number of bytes as JSON.
fn json_len(value: &impl Serialize) -> u64 {
    serde_json::to_vec(value).map_or(u64::MAX, |json| json.len() as u64)
}

impl<M: LanguageModel> LanguageModel for Budgeted<M> {
    fn name(&self) -> &str {
        self.model.name()
    }

    /// Sends the turn with no more tokens of output than the budget has left. A turn that failed
    /// before the provider started to answer costs nothing; one that was cut costs the worst case
    /// of what the provider did not report.
    fn turn(
        &self,
        ctx: &Ctx,
        request: &TurnRequest,
        on: &mut dyn FnMut(&TurnDelta),
    ) -> Result<Turn, TurnError> {
        ctx.check_cancelled()?;
        let (account, name) = (&self.account, self.model.name());
        let worst = self.worst_input(request);
        let reserved = account.reserve(name, worst, request.max_tokens.into())?;
        let max_tokens = reserved.output.try_into().unwrap_or(request.max_tokens);
        let lowered;
        let request = match max_tokens == request.max_tokens {
            true => request,
            false => {
                lowered = TurnRequest { max_tokens, ..request.clone() };
                &lowered
            }
        };
        let began = Instant::now();
        let (mut is_started, mut usage) = (false, Usage::default());
        let outcome = self.model.turn(ctx, request, &mut |delta| {
            is_started |= !matches!(delta, TurnDelta::Retrying { .. });
            if let TurnDelta::Usage(so_far) = delta {
                usage = *so_far;
            }
            on(delta);
        });
        let charge = match &outcome {
            Ok(turn) => Some(Charge::of(turn.usage, reserved, true)),
            Err(error) if !is_started && is_free(error) => None,
            Err(_) => Some(Charge::of(usage, reserved, false)),
        };
        account.settle(name, reserved, charge);
        if let Some(log) = ctx.log() {
            let usage = outcome.as_ref().map_or(usage, |it| it.usage);
            let tokens = [("input_tokens", usage.input()), ("output_tokens", usage.output_tokens)];
            let micros = began.elapsed().as_micros() as u64;
            log.finished(&LogEntry { name: "model", detail: name, micros, numbers: &tokens });
        }
        if let Ok(turn) = &outcome
            && turn.usage.input() > 0
        {
            *base::lock(&self.counted) = Some((request.clone(), turn.usage.input()));
        }
        outcome
    }
}

/// Whether a turn that failed so, without any answer, costs nothing.
fn is_free(error: &TurnError) -> bool {
    !matches!(
        error,
        TurnError::Cancelled
            | TurnError::TimedOut { .. }
            | TurnError::TooLarge { .. }
            | TurnError::Interrupted { .. }
            | TurnError::Malformed { .. }
    )
}
