// `std::time`.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Duration;
impl Duration {
    pub const ZERO: Duration = Duration;
    pub const MAX: Duration = Duration;
    fn new(secs: u64, nanos: u32) -> Duration;
    fn from_secs(secs: u64) -> Duration;
    fn from_millis(millis: u64) -> Duration;
    fn from_micros(micros: u64) -> Duration;
    fn from_nanos(nanos: u64) -> Duration;
    fn from_secs_f64(secs: f64) -> Duration;
    fn from_secs_f32(secs: f32) -> Duration;
    fn is_zero(&self) -> bool;
    fn as_secs(&self) -> u64;
    fn subsec_millis(&self) -> u32;
    fn subsec_micros(&self) -> u32;
    fn subsec_nanos(&self) -> u32;
    fn as_millis(&self) -> u128;
    fn as_micros(&self) -> u128;
    fn as_nanos(&self) -> u128;
    fn as_secs_f64(&self) -> f64;
    fn as_secs_f32(&self) -> f32;
    fn abs_diff(self, other: Duration) -> Duration;
    fn checked_add(self, rhs: Duration) -> Option<Duration>;
    fn checked_sub(self, rhs: Duration) -> Option<Duration>;
    fn checked_mul(self, rhs: u32) -> Option<Duration>;
    fn checked_div(self, rhs: u32) -> Option<Duration>;
    fn saturating_add(self, rhs: Duration) -> Duration;
    fn saturating_sub(self, rhs: Duration) -> Duration;
    fn saturating_mul(self, rhs: u32) -> Duration;
    fn mul_f64(self, rhs: f64) -> Duration;
    fn div_f64(self, rhs: f64) -> Duration;
    fn try_from_secs_f64(secs: f64) -> Result<Duration, TryFromFloatSecsError>;
}
pub struct TryFromFloatSecsError;
impl crate::ops::Add for Duration { type Output = Duration; }
impl crate::ops::Sub for Duration { type Output = Duration; }
impl crate::ops::Mul<u32> for Duration { type Output = Duration; }
impl crate::ops::Div<u32> for Duration { type Output = Duration; }
impl crate::iter::Sum for Duration {}
impl crate::iter::Sum<&Duration> for Duration {}
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant;
impl Instant {
    fn now() -> Instant;
    fn duration_since(&self, earlier: Instant) -> Duration;
    fn checked_duration_since(&self, earlier: Instant) -> Option<Duration>;
    fn saturating_duration_since(&self, earlier: Instant) -> Duration;
    fn elapsed(&self) -> Duration;
    fn checked_add(&self, duration: Duration) -> Option<Instant>;
    fn checked_sub(&self, duration: Duration) -> Option<Instant>;
}
impl crate::ops::Add<Duration> for Instant { type Output = Instant; }
impl crate::ops::Sub<Duration> for Instant { type Output = Instant; }
impl crate::ops::Sub for Instant { type Output = Duration; }
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SystemTime;
impl SystemTime {
    pub const UNIX_EPOCH: SystemTime = SystemTime;
    fn now() -> SystemTime;
    fn duration_since(&self, earlier: SystemTime) -> Result<Duration, SystemTimeError>;
    fn elapsed(&self) -> Result<Duration, SystemTimeError>;
    fn checked_add(&self, duration: Duration) -> Option<SystemTime>;
    fn checked_sub(&self, duration: Duration) -> Option<SystemTime>;
}
impl crate::ops::Add<Duration> for SystemTime { type Output = SystemTime; }
impl crate::ops::Sub<Duration> for SystemTime { type Output = SystemTime; }
#[derive(Clone, Debug)]
pub struct SystemTimeError;
impl SystemTimeError { fn duration(&self) -> Duration; }
pub const UNIX_EPOCH: SystemTime = SystemTime;
