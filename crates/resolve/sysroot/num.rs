// `std::num`, and what numbers can do.

impl u8 {
    pub const MIN: u8 = 0;
    pub const MAX: u8 = 0;
    pub const BITS: u32 = 0;
    fn count_ones(self) -> u32;
    fn count_zeros(self) -> u32;
    fn leading_zeros(self) -> u32;
    fn trailing_zeros(self) -> u32;
    fn leading_ones(self) -> u32;
    fn trailing_ones(self) -> u32;
    fn ilog2(self) -> u32;
    fn ilog10(self) -> u32;
    fn swap_bytes(self) -> u8;
    fn reverse_bits(self) -> u8;
    fn to_be(self) -> u8;
    fn to_le(self) -> u8;
    fn abs(self) -> u8;
    fn signum(self) -> u8;
    fn next_power_of_two(self) -> u8;
    fn isqrt(self) -> u8;
    fn wrapping_neg(self) -> u8;
    fn wrapping_abs(self) -> u8;
    fn from_be(x: u8) -> u8;
    fn from_le(x: u8) -> u8;
    fn unsigned_abs(self) -> u8;
    fn abs_diff(self, other: u8) -> u8;
    fn cast_signed(self) -> i8;
    fn cast_unsigned(self) -> u8;
    fn rotate_left(self, n: u32) -> u8;
    fn rotate_right(self, n: u32) -> u8;
    fn pow(self, n: u32) -> u8;
    fn wrapping_shl(self, n: u32) -> u8;
    fn wrapping_shr(self, n: u32) -> u8;
    fn saturating_pow(self, n: u32) -> u8;
    fn wrapping_pow(self, n: u32) -> u8;
    fn checked_add(self, rhs: u8) -> Option<u8>;
    fn wrapping_add(self, rhs: u8) -> u8;
    fn saturating_add(self, rhs: u8) -> u8;
    fn overflowing_add(self, rhs: u8) -> (u8, bool);
    fn checked_sub(self, rhs: u8) -> Option<u8>;
    fn wrapping_sub(self, rhs: u8) -> u8;
    fn saturating_sub(self, rhs: u8) -> u8;
    fn overflowing_sub(self, rhs: u8) -> (u8, bool);
    fn checked_mul(self, rhs: u8) -> Option<u8>;
    fn wrapping_mul(self, rhs: u8) -> u8;
    fn saturating_mul(self, rhs: u8) -> u8;
    fn overflowing_mul(self, rhs: u8) -> (u8, bool);
    fn checked_div(self, rhs: u8) -> Option<u8>;
    fn wrapping_div(self, rhs: u8) -> u8;
    fn saturating_div(self, rhs: u8) -> u8;
    fn overflowing_div(self, rhs: u8) -> (u8, bool);
    fn checked_rem(self, rhs: u8) -> Option<u8>;
    fn wrapping_rem(self, rhs: u8) -> u8;
    fn saturating_rem(self, rhs: u8) -> u8;
    fn overflowing_rem(self, rhs: u8) -> (u8, bool);
    fn div_euclid(self, rhs: u8) -> u8;
    fn rem_euclid(self, rhs: u8) -> u8;
    fn div_ceil(self, rhs: u8) -> u8;
    fn next_multiple_of(self, rhs: u8) -> u8;
    fn midpoint(self, rhs: u8) -> u8;
    fn unchecked_add(self, rhs: u8) -> u8;
    fn unchecked_sub(self, rhs: u8) -> u8;
    fn checked_pow(self, exp: u32) -> Option<u8>;
    fn checked_shl(self, rhs: u32) -> Option<u8>;
    fn checked_shr(self, rhs: u32) -> Option<u8>;
    fn checked_neg(self) -> Option<u8>;
    fn checked_next_power_of_two(self) -> Option<u8>;
    fn checked_next_multiple_of(self, rhs: u8) -> Option<u8>;
    fn checked_ilog2(self) -> Option<u32>;
    fn checked_add_signed(self, rhs: i8) -> Option<u8>;
    fn checked_add_unsigned(self, rhs: u8) -> Option<u8>;
    fn saturating_add_signed(self, rhs: i8) -> u8;
    fn is_power_of_two(self) -> bool;
    fn is_positive(self) -> bool;
    fn is_negative(self) -> bool;
    fn is_multiple_of(self, rhs: u8) -> bool;
    fn to_be_bytes(self) -> [u8; 1];
    fn to_le_bytes(self) -> [u8; 1];
    fn to_ne_bytes(self) -> [u8; 1];
    fn from_be_bytes(bytes: [u8; 1]) -> u8;
    fn from_le_bytes(bytes: [u8; 1]) -> u8;
    fn from_ne_bytes(bytes: [u8; 1]) -> u8;
    fn from_str_radix(src: &str, radix: u32) -> Result<u8, ParseIntError>;
    fn min_value() -> u8;
    fn max_value() -> u8;
}
impl crate::ops::Add for u8 { type Output = u8; }
impl crate::ops::Add<&u8> for u8 { type Output = u8; }
impl crate::ops::Sub for u8 { type Output = u8; }
impl crate::ops::Sub<&u8> for u8 { type Output = u8; }
impl crate::ops::Mul for u8 { type Output = u8; }
impl crate::ops::Mul<&u8> for u8 { type Output = u8; }
impl crate::ops::Div for u8 { type Output = u8; }
impl crate::ops::Div<&u8> for u8 { type Output = u8; }
impl crate::ops::Rem for u8 { type Output = u8; }
impl crate::ops::Rem<&u8> for u8 { type Output = u8; }
impl crate::ops::BitAnd for u8 { type Output = u8; }
impl crate::ops::BitAnd<&u8> for u8 { type Output = u8; }
impl crate::ops::BitOr for u8 { type Output = u8; }
impl crate::ops::BitOr<&u8> for u8 { type Output = u8; }
impl crate::ops::BitXor for u8 { type Output = u8; }
impl crate::ops::BitXor<&u8> for u8 { type Output = u8; }
impl crate::iter::Sum for u8 {}
impl crate::iter::Sum<&u8> for u8 {}
impl crate::iter::Product for u8 {}
impl u16 {
    pub const MIN: u16 = 0;
    pub const MAX: u16 = 0;
    pub const BITS: u32 = 0;
    fn count_ones(self) -> u32;
    fn count_zeros(self) -> u32;
    fn leading_zeros(self) -> u32;
    fn trailing_zeros(self) -> u32;
    fn leading_ones(self) -> u32;
    fn trailing_ones(self) -> u32;
    fn ilog2(self) -> u32;
    fn ilog10(self) -> u32;
    fn swap_bytes(self) -> u16;
    fn reverse_bits(self) -> u16;
    fn to_be(self) -> u16;
    fn to_le(self) -> u16;
    fn abs(self) -> u16;
    fn signum(self) -> u16;
    fn next_power_of_two(self) -> u16;
    fn isqrt(self) -> u16;
    fn wrapping_neg(self) -> u16;
    fn wrapping_abs(self) -> u16;
    fn from_be(x: u16) -> u16;
    fn from_le(x: u16) -> u16;
    fn unsigned_abs(self) -> u16;
    fn abs_diff(self, other: u16) -> u16;
    fn cast_signed(self) -> i16;
    fn cast_unsigned(self) -> u16;
    fn rotate_left(self, n: u32) -> u16;
    fn rotate_right(self, n: u32) -> u16;
    fn pow(self, n: u32) -> u16;
    fn wrapping_shl(self, n: u32) -> u16;
    fn wrapping_shr(self, n: u32) -> u16;
    fn saturating_pow(self, n: u32) -> u16;
    fn wrapping_pow(self, n: u32) -> u16;
    fn checked_add(self, rhs: u16) -> Option<u16>;
    fn wrapping_add(self, rhs: u16) -> u16;
    fn saturating_add(self, rhs: u16) -> u16;
    fn overflowing_add(self, rhs: u16) -> (u16, bool);
    fn checked_sub(self, rhs: u16) -> Option<u16>;
    fn wrapping_sub(self, rhs: u16) -> u16;
    fn saturating_sub(self, rhs: u16) -> u16;
    fn overflowing_sub(self, rhs: u16) -> (u16, bool);
    fn checked_mul(self, rhs: u16) -> Option<u16>;
    fn wrapping_mul(self, rhs: u16) -> u16;
    fn saturating_mul(self, rhs: u16) -> u16;
    fn overflowing_mul(self, rhs: u16) -> (u16, bool);
    fn checked_div(self, rhs: u16) -> Option<u16>;
    fn wrapping_div(self, rhs: u16) -> u16;
    fn saturating_div(self, rhs: u16) -> u16;
    fn overflowing_div(self, rhs: u16) -> (u16, bool);
    fn checked_rem(self, rhs: u16) -> Option<u16>;
    fn wrapping_rem(self, rhs: u16) -> u16;
    fn saturating_rem(self, rhs: u16) -> u16;
    fn overflowing_rem(self, rhs: u16) -> (u16, bool);
    fn div_euclid(self, rhs: u16) -> u16;
    fn rem_euclid(self, rhs: u16) -> u16;
    fn div_ceil(self, rhs: u16) -> u16;
    fn next_multiple_of(self, rhs: u16) -> u16;
    fn midpoint(self, rhs: u16) -> u16;
    fn unchecked_add(self, rhs: u16) -> u16;
    fn unchecked_sub(self, rhs: u16) -> u16;
    fn checked_pow(self, exp: u32) -> Option<u16>;
    fn checked_shl(self, rhs: u32) -> Option<u16>;
    fn checked_shr(self, rhs: u32) -> Option<u16>;
    fn checked_neg(self) -> Option<u16>;
    fn checked_next_power_of_two(self) -> Option<u16>;
    fn checked_next_multiple_of(self, rhs: u16) -> Option<u16>;
    fn checked_ilog2(self) -> Option<u32>;
    fn checked_add_signed(self, rhs: i16) -> Option<u16>;
    fn checked_add_unsigned(self, rhs: u16) -> Option<u16>;
    fn saturating_add_signed(self, rhs: i16) -> u16;
    fn is_power_of_two(self) -> bool;
    fn is_positive(self) -> bool;
    fn is_negative(self) -> bool;
    fn is_multiple_of(self, rhs: u16) -> bool;
    fn to_be_bytes(self) -> [u8; 2];
    fn to_le_bytes(self) -> [u8; 2];
    fn to_ne_bytes(self) -> [u8; 2];
    fn from_be_bytes(bytes: [u8; 2]) -> u16;
    fn from_le_bytes(bytes: [u8; 2]) -> u16;
    fn from_ne_bytes(bytes: [u8; 2]) -> u16;
    fn from_str_radix(src: &str, radix: u32) -> Result<u16, ParseIntError>;
    fn min_value() -> u16;
    fn max_value() -> u16;
}
impl crate::ops::Add for u16 { type Output = u16; }
impl crate::ops::Add<&u16> for u16 { type Output = u16; }
impl crate::ops::Sub for u16 { type Output = u16; }
impl crate::ops::Sub<&u16> for u16 { type Output = u16; }
impl crate::ops::Mul for u16 { type Output = u16; }
impl crate::ops::Mul<&u16> for u16 { type Output = u16; }
impl crate::ops::Div for u16 { type Output = u16; }
impl crate::ops::Div<&u16> for u16 { type Output = u16; }
impl crate::ops::Rem for u16 { type Output = u16; }
impl crate::ops::Rem<&u16> for u16 { type Output = u16; }
impl crate::ops::BitAnd for u16 { type Output = u16; }
impl crate::ops::BitAnd<&u16> for u16 { type Output = u16; }
impl crate::ops::BitOr for u16 { type Output = u16; }
impl crate::ops::BitOr<&u16> for u16 { type Output = u16; }
impl crate::ops::BitXor for u16 { type Output = u16; }
impl crate::ops::BitXor<&u16> for u16 { type Output = u16; }
impl crate::iter::Sum for u16 {}
impl crate::iter::Sum<&u16> for u16 {}
impl crate::iter::Product for u16 {}
impl u32 {
    pub const MIN: u32 = 0;
    pub const MAX: u32 = 0;
    pub const BITS: u32 = 0;
    fn count_ones(self) -> u32;
    fn count_zeros(self) -> u32;
    fn leading_zeros(self) -> u32;
    fn trailing_zeros(self) -> u32;
    fn leading_ones(self) -> u32;
    fn trailing_ones(self) -> u32;
    fn ilog2(self) -> u32;
    fn ilog10(self) -> u32;
    fn swap_bytes(self) -> u32;
    fn reverse_bits(self) -> u32;
    fn to_be(self) -> u32;
    fn to_le(self) -> u32;
    fn abs(self) -> u32;
    fn signum(self) -> u32;
    fn next_power_of_two(self) -> u32;
    fn isqrt(self) -> u32;
    fn wrapping_neg(self) -> u32;
    fn wrapping_abs(self) -> u32;
    fn from_be(x: u32) -> u32;
    fn from_le(x: u32) -> u32;
    fn unsigned_abs(self) -> u32;
    fn abs_diff(self, other: u32) -> u32;
    fn cast_signed(self) -> i32;
    fn cast_unsigned(self) -> u32;
    fn rotate_left(self, n: u32) -> u32;
    fn rotate_right(self, n: u32) -> u32;
    fn pow(self, n: u32) -> u32;
    fn wrapping_shl(self, n: u32) -> u32;
    fn wrapping_shr(self, n: u32) -> u32;
    fn saturating_pow(self, n: u32) -> u32;
    fn wrapping_pow(self, n: u32) -> u32;
    fn checked_add(self, rhs: u32) -> Option<u32>;
    fn wrapping_add(self, rhs: u32) -> u32;
    fn saturating_add(self, rhs: u32) -> u32;
    fn overflowing_add(self, rhs: u32) -> (u32, bool);
    fn checked_sub(self, rhs: u32) -> Option<u32>;
    fn wrapping_sub(self, rhs: u32) -> u32;
    fn saturating_sub(self, rhs: u32) -> u32;
    fn overflowing_sub(self, rhs: u32) -> (u32, bool);
    fn checked_mul(self, rhs: u32) -> Option<u32>;
    fn wrapping_mul(self, rhs: u32) -> u32;
    fn saturating_mul(self, rhs: u32) -> u32;
    fn overflowing_mul(self, rhs: u32) -> (u32, bool);
    fn checked_div(self, rhs: u32) -> Option<u32>;
    fn wrapping_div(self, rhs: u32) -> u32;
    fn saturating_div(self, rhs: u32) -> u32;
    fn overflowing_div(self, rhs: u32) -> (u32, bool);
    fn checked_rem(self, rhs: u32) -> Option<u32>;
    fn wrapping_rem(self, rhs: u32) -> u32;
    fn saturating_rem(self, rhs: u32) -> u32;
    fn overflowing_rem(self, rhs: u32) -> (u32, bool);
    fn div_euclid(self, rhs: u32) -> u32;
    fn rem_euclid(self, rhs: u32) -> u32;
    fn div_ceil(self, rhs: u32) -> u32;
    fn next_multiple_of(self, rhs: u32) -> u32;
    fn midpoint(self, rhs: u32) -> u32;
    fn unchecked_add(self, rhs: u32) -> u32;
    fn unchecked_sub(self, rhs: u32) -> u32;
    fn checked_pow(self, exp: u32) -> Option<u32>;
    fn checked_shl(self, rhs: u32) -> Option<u32>;
    fn checked_shr(self, rhs: u32) -> Option<u32>;
    fn checked_neg(self) -> Option<u32>;
    fn checked_next_power_of_two(self) -> Option<u32>;
    fn checked_next_multiple_of(self, rhs: u32) -> Option<u32>;
    fn checked_ilog2(self) -> Option<u32>;
    fn checked_add_signed(self, rhs: i32) -> Option<u32>;
    fn checked_add_unsigned(self, rhs: u32) -> Option<u32>;
    fn saturating_add_signed(self, rhs: i32) -> u32;
    fn is_power_of_two(self) -> bool;
    fn is_positive(self) -> bool;
    fn is_negative(self) -> bool;
    fn is_multiple_of(self, rhs: u32) -> bool;
    fn to_be_bytes(self) -> [u8; 4];
    fn to_le_bytes(self) -> [u8; 4];
    fn to_ne_bytes(self) -> [u8; 4];
    fn from_be_bytes(bytes: [u8; 4]) -> u32;
    fn from_le_bytes(bytes: [u8; 4]) -> u32;
    fn from_ne_bytes(bytes: [u8; 4]) -> u32;
    fn from_str_radix(src: &str, radix: u32) -> Result<u32, ParseIntError>;
    fn min_value() -> u32;
    fn max_value() -> u32;
}
impl crate::ops::Add for u32 { type Output = u32; }
impl crate::ops::Add<&u32> for u32 { type Output = u32; }
impl crate::ops::Sub for u32 { type Output = u32; }
impl crate::ops::Sub<&u32> for u32 { type Output = u32; }
impl crate::ops::Mul for u32 { type Output = u32; }
impl crate::ops::Mul<&u32> for u32 { type Output = u32; }
impl crate::ops::Div for u32 { type Output = u32; }
impl crate::ops::Div<&u32> for u32 { type Output = u32; }
impl crate::ops::Rem for u32 { type Output = u32; }
impl crate::ops::Rem<&u32> for u32 { type Output = u32; }
impl crate::ops::BitAnd for u32 { type Output = u32; }
impl crate::ops::BitAnd<&u32> for u32 { type Output = u32; }
impl crate::ops::BitOr for u32 { type Output = u32; }
impl crate::ops::BitOr<&u32> for u32 { type Output = u32; }
impl crate::ops::BitXor for u32 { type Output = u32; }
impl crate::ops::BitXor<&u32> for u32 { type Output = u32; }
impl crate::iter::Sum for u32 {}
impl crate::iter::Sum<&u32> for u32 {}
impl crate::iter::Product for u32 {}
impl u64 {
    pub const MIN: u64 = 0;
    pub const MAX: u64 = 0;
    pub const BITS: u32 = 0;
    fn count_ones(self) -> u32;
    fn count_zeros(self) -> u32;
    fn leading_zeros(self) -> u32;
    fn trailing_zeros(self) -> u32;
    fn leading_ones(self) -> u32;
    fn trailing_ones(self) -> u32;
    fn ilog2(self) -> u32;
    fn ilog10(self) -> u32;
    fn swap_bytes(self) -> u64;
    fn reverse_bits(self) -> u64;
    fn to_be(self) -> u64;
    fn to_le(self) -> u64;
    fn abs(self) -> u64;
    fn signum(self) -> u64;
    fn next_power_of_two(self) -> u64;
    fn isqrt(self) -> u64;
    fn wrapping_neg(self) -> u64;
    fn wrapping_abs(self) -> u64;
    fn from_be(x: u64) -> u64;
    fn from_le(x: u64) -> u64;
    fn unsigned_abs(self) -> u64;
    fn abs_diff(self, other: u64) -> u64;
    fn cast_signed(self) -> i64;
    fn cast_unsigned(self) -> u64;
    fn rotate_left(self, n: u32) -> u64;
    fn rotate_right(self, n: u32) -> u64;
    fn pow(self, n: u32) -> u64;
    fn wrapping_shl(self, n: u32) -> u64;
    fn wrapping_shr(self, n: u32) -> u64;
    fn saturating_pow(self, n: u32) -> u64;
    fn wrapping_pow(self, n: u32) -> u64;
    fn checked_add(self, rhs: u64) -> Option<u64>;
    fn wrapping_add(self, rhs: u64) -> u64;
    fn saturating_add(self, rhs: u64) -> u64;
    fn overflowing_add(self, rhs: u64) -> (u64, bool);
    fn checked_sub(self, rhs: u64) -> Option<u64>;
    fn wrapping_sub(self, rhs: u64) -> u64;
    fn saturating_sub(self, rhs: u64) -> u64;
    fn overflowing_sub(self, rhs: u64) -> (u64, bool);
    fn checked_mul(self, rhs: u64) -> Option<u64>;
    fn wrapping_mul(self, rhs: u64) -> u64;
    fn saturating_mul(self, rhs: u64) -> u64;
    fn overflowing_mul(self, rhs: u64) -> (u64, bool);
    fn checked_div(self, rhs: u64) -> Option<u64>;
    fn wrapping_div(self, rhs: u64) -> u64;
    fn saturating_div(self, rhs: u64) -> u64;
    fn overflowing_div(self, rhs: u64) -> (u64, bool);
    fn checked_rem(self, rhs: u64) -> Option<u64>;
    fn wrapping_rem(self, rhs: u64) -> u64;
    fn saturating_rem(self, rhs: u64) -> u64;
    fn overflowing_rem(self, rhs: u64) -> (u64, bool);
    fn div_euclid(self, rhs: u64) -> u64;
    fn rem_euclid(self, rhs: u64) -> u64;
    fn div_ceil(self, rhs: u64) -> u64;
    fn next_multiple_of(self, rhs: u64) -> u64;
    fn midpoint(self, rhs: u64) -> u64;
    fn unchecked_add(self, rhs: u64) -> u64;
    fn unchecked_sub(self, rhs: u64) -> u64;
    fn checked_pow(self, exp: u32) -> Option<u64>;
    fn checked_shl(self, rhs: u32) -> Option<u64>;
    fn checked_shr(self, rhs: u32) -> Option<u64>;
    fn checked_neg(self) -> Option<u64>;
    fn checked_next_power_of_two(self) -> Option<u64>;
    fn checked_next_multiple_of(self, rhs: u64) -> Option<u64>;
    fn checked_ilog2(self) -> Option<u32>;
    fn checked_add_signed(self, rhs: i64) -> Option<u64>;
    fn checked_add_unsigned(self, rhs: u64) -> Option<u64>;
    fn saturating_add_signed(self, rhs: i64) -> u64;
    fn is_power_of_two(self) -> bool;
    fn is_positive(self) -> bool;
    fn is_negative(self) -> bool;
    fn is_multiple_of(self, rhs: u64) -> bool;
    fn to_be_bytes(self) -> [u8; 8];
    fn to_le_bytes(self) -> [u8; 8];
    fn to_ne_bytes(self) -> [u8; 8];
    fn from_be_bytes(bytes: [u8; 8]) -> u64;
    fn from_le_bytes(bytes: [u8; 8]) -> u64;
    fn from_ne_bytes(bytes: [u8; 8]) -> u64;
    fn from_str_radix(src: &str, radix: u32) -> Result<u64, ParseIntError>;
    fn min_value() -> u64;
    fn max_value() -> u64;
}
impl crate::ops::Add for u64 { type Output = u64; }
impl crate::ops::Add<&u64> for u64 { type Output = u64; }
impl crate::ops::Sub for u64 { type Output = u64; }
impl crate::ops::Sub<&u64> for u64 { type Output = u64; }
impl crate::ops::Mul for u64 { type Output = u64; }
impl crate::ops::Mul<&u64> for u64 { type Output = u64; }
impl crate::ops::Div for u64 { type Output = u64; }
impl crate::ops::Div<&u64> for u64 { type Output = u64; }
impl crate::ops::Rem for u64 { type Output = u64; }
impl crate::ops::Rem<&u64> for u64 { type Output = u64; }
impl crate::ops::BitAnd for u64 { type Output = u64; }
impl crate::ops::BitAnd<&u64> for u64 { type Output = u64; }
impl crate::ops::BitOr for u64 { type Output = u64; }
impl crate::ops::BitOr<&u64> for u64 { type Output = u64; }
impl crate::ops::BitXor for u64 { type Output = u64; }
impl crate::ops::BitXor<&u64> for u64 { type Output = u64; }
impl crate::iter::Sum for u64 {}
impl crate::iter::Sum<&u64> for u64 {}
impl crate::iter::Product for u64 {}
impl u128 {
    pub const MIN: u128 = 0;
    pub const MAX: u128 = 0;
    pub const BITS: u32 = 0;
    fn count_ones(self) -> u32;
    fn count_zeros(self) -> u32;
    fn leading_zeros(self) -> u32;
    fn trailing_zeros(self) -> u32;
    fn leading_ones(self) -> u32;
    fn trailing_ones(self) -> u32;
    fn ilog2(self) -> u32;
    fn ilog10(self) -> u32;
    fn swap_bytes(self) -> u128;
    fn reverse_bits(self) -> u128;
    fn to_be(self) -> u128;
    fn to_le(self) -> u128;
    fn abs(self) -> u128;
    fn signum(self) -> u128;
    fn next_power_of_two(self) -> u128;
    fn isqrt(self) -> u128;
    fn wrapping_neg(self) -> u128;
    fn wrapping_abs(self) -> u128;
    fn from_be(x: u128) -> u128;
    fn from_le(x: u128) -> u128;
    fn unsigned_abs(self) -> u128;
    fn abs_diff(self, other: u128) -> u128;
    fn cast_signed(self) -> i128;
    fn cast_unsigned(self) -> u128;
    fn rotate_left(self, n: u32) -> u128;
    fn rotate_right(self, n: u32) -> u128;
    fn pow(self, n: u32) -> u128;
    fn wrapping_shl(self, n: u32) -> u128;
    fn wrapping_shr(self, n: u32) -> u128;
    fn saturating_pow(self, n: u32) -> u128;
    fn wrapping_pow(self, n: u32) -> u128;
    fn checked_add(self, rhs: u128) -> Option<u128>;
    fn wrapping_add(self, rhs: u128) -> u128;
    fn saturating_add(self, rhs: u128) -> u128;
    fn overflowing_add(self, rhs: u128) -> (u128, bool);
    fn checked_sub(self, rhs: u128) -> Option<u128>;
    fn wrapping_sub(self, rhs: u128) -> u128;
    fn saturating_sub(self, rhs: u128) -> u128;
    fn overflowing_sub(self, rhs: u128) -> (u128, bool);
    fn checked_mul(self, rhs: u128) -> Option<u128>;
    fn wrapping_mul(self, rhs: u128) -> u128;
    fn saturating_mul(self, rhs: u128) -> u128;
    fn overflowing_mul(self, rhs: u128) -> (u128, bool);
    fn checked_div(self, rhs: u128) -> Option<u128>;
    fn wrapping_div(self, rhs: u128) -> u128;
    fn saturating_div(self, rhs: u128) -> u128;
    fn overflowing_div(self, rhs: u128) -> (u128, bool);
    fn checked_rem(self, rhs: u128) -> Option<u128>;
    fn wrapping_rem(self, rhs: u128) -> u128;
    fn saturating_rem(self, rhs: u128) -> u128;
    fn overflowing_rem(self, rhs: u128) -> (u128, bool);
    fn div_euclid(self, rhs: u128) -> u128;
    fn rem_euclid(self, rhs: u128) -> u128;
    fn div_ceil(self, rhs: u128) -> u128;
    fn next_multiple_of(self, rhs: u128) -> u128;
    fn midpoint(self, rhs: u128) -> u128;
    fn unchecked_add(self, rhs: u128) -> u128;
    fn unchecked_sub(self, rhs: u128) -> u128;
    fn checked_pow(self, exp: u32) -> Option<u128>;
    fn checked_shl(self, rhs: u32) -> Option<u128>;
    fn checked_shr(self, rhs: u32) -> Option<u128>;
    fn checked_neg(self) -> Option<u128>;
    fn checked_next_power_of_two(self) -> Option<u128>;
    fn checked_next_multiple_of(self, rhs: u128) -> Option<u128>;
    fn checked_ilog2(self) -> Option<u32>;
    fn checked_add_signed(self, rhs: i128) -> Option<u128>;
    fn checked_add_unsigned(self, rhs: u128) -> Option<u128>;
    fn saturating_add_signed(self, rhs: i128) -> u128;
    fn is_power_of_two(self) -> bool;
    fn is_positive(self) -> bool;
    fn is_negative(self) -> bool;
    fn is_multiple_of(self, rhs: u128) -> bool;
    fn to_be_bytes(self) -> [u8; 16];
    fn to_le_bytes(self) -> [u8; 16];
    fn to_ne_bytes(self) -> [u8; 16];
    fn from_be_bytes(bytes: [u8; 16]) -> u128;
    fn from_le_bytes(bytes: [u8; 16]) -> u128;
    fn from_ne_bytes(bytes: [u8; 16]) -> u128;
    fn from_str_radix(src: &str, radix: u32) -> Result<u128, ParseIntError>;
    fn min_value() -> u128;
    fn max_value() -> u128;
}
impl crate::ops::Add for u128 { type Output = u128; }
impl crate::ops::Add<&u128> for u128 { type Output = u128; }
impl crate::ops::Sub for u128 { type Output = u128; }
impl crate::ops::Sub<&u128> for u128 { type Output = u128; }
impl crate::ops::Mul for u128 { type Output = u128; }
impl crate::ops::Mul<&u128> for u128 { type Output = u128; }
impl crate::ops::Div for u128 { type Output = u128; }
impl crate::ops::Div<&u128> for u128 { type Output = u128; }
impl crate::ops::Rem for u128 { type Output = u128; }
impl crate::ops::Rem<&u128> for u128 { type Output = u128; }
impl crate::ops::BitAnd for u128 { type Output = u128; }
impl crate::ops::BitAnd<&u128> for u128 { type Output = u128; }
impl crate::ops::BitOr for u128 { type Output = u128; }
impl crate::ops::BitOr<&u128> for u128 { type Output = u128; }
impl crate::ops::BitXor for u128 { type Output = u128; }
impl crate::ops::BitXor<&u128> for u128 { type Output = u128; }
impl crate::iter::Sum for u128 {}
impl crate::iter::Sum<&u128> for u128 {}
impl crate::iter::Product for u128 {}
impl usize {
    pub const MIN: usize = 0;
    pub const MAX: usize = 0;
    pub const BITS: u32 = 0;
    fn count_ones(self) -> u32;
    fn count_zeros(self) -> u32;
    fn leading_zeros(self) -> u32;
    fn trailing_zeros(self) -> u32;
    fn leading_ones(self) -> u32;
    fn trailing_ones(self) -> u32;
    fn ilog2(self) -> u32;
    fn ilog10(self) -> u32;
    fn swap_bytes(self) -> usize;
    fn reverse_bits(self) -> usize;
    fn to_be(self) -> usize;
    fn to_le(self) -> usize;
    fn abs(self) -> usize;
    fn signum(self) -> usize;
    fn next_power_of_two(self) -> usize;
    fn isqrt(self) -> usize;
    fn wrapping_neg(self) -> usize;
    fn wrapping_abs(self) -> usize;
    fn from_be(x: usize) -> usize;
    fn from_le(x: usize) -> usize;
    fn unsigned_abs(self) -> usize;
    fn abs_diff(self, other: usize) -> usize;
    fn cast_signed(self) -> isize;
    fn cast_unsigned(self) -> usize;
    fn rotate_left(self, n: u32) -> usize;
    fn rotate_right(self, n: u32) -> usize;
    fn pow(self, n: u32) -> usize;
    fn wrapping_shl(self, n: u32) -> usize;
    fn wrapping_shr(self, n: u32) -> usize;
    fn saturating_pow(self, n: u32) -> usize;
    fn wrapping_pow(self, n: u32) -> usize;
    fn checked_add(self, rhs: usize) -> Option<usize>;
    fn wrapping_add(self, rhs: usize) -> usize;
    fn saturating_add(self, rhs: usize) -> usize;
    fn overflowing_add(self, rhs: usize) -> (usize, bool);
    fn checked_sub(self, rhs: usize) -> Option<usize>;
    fn wrapping_sub(self, rhs: usize) -> usize;
    fn saturating_sub(self, rhs: usize) -> usize;
    fn overflowing_sub(self, rhs: usize) -> (usize, bool);
    fn checked_mul(self, rhs: usize) -> Option<usize>;
    fn wrapping_mul(self, rhs: usize) -> usize;
    fn saturating_mul(self, rhs: usize) -> usize;
    fn overflowing_mul(self, rhs: usize) -> (usize, bool);
    fn checked_div(self, rhs: usize) -> Option<usize>;
    fn wrapping_div(self, rhs: usize) -> usize;
    fn saturating_div(self, rhs: usize) -> usize;
    fn overflowing_div(self, rhs: usize) -> (usize, bool);
    fn checked_rem(self, rhs: usize) -> Option<usize>;
    fn wrapping_rem(self, rhs: usize) -> usize;
    fn saturating_rem(self, rhs: usize) -> usize;
    fn overflowing_rem(self, rhs: usize) -> (usize, bool);
    fn div_euclid(self, rhs: usize) -> usize;
    fn rem_euclid(self, rhs: usize) -> usize;
    fn div_ceil(self, rhs: usize) -> usize;
    fn next_multiple_of(self, rhs: usize) -> usize;
    fn midpoint(self, rhs: usize) -> usize;
    fn unchecked_add(self, rhs: usize) -> usize;
    fn unchecked_sub(self, rhs: usize) -> usize;
    fn checked_pow(self, exp: u32) -> Option<usize>;
    fn checked_shl(self, rhs: u32) -> Option<usize>;
    fn checked_shr(self, rhs: u32) -> Option<usize>;
    fn checked_neg(self) -> Option<usize>;
    fn checked_next_power_of_two(self) -> Option<usize>;
    fn checked_next_multiple_of(self, rhs: usize) -> Option<usize>;
    fn checked_ilog2(self) -> Option<u32>;
    fn checked_add_signed(self, rhs: isize) -> Option<usize>;
    fn checked_add_unsigned(self, rhs: usize) -> Option<usize>;
    fn saturating_add_signed(self, rhs: isize) -> usize;
    fn is_power_of_two(self) -> bool;
    fn is_positive(self) -> bool;
    fn is_negative(self) -> bool;
    fn is_multiple_of(self, rhs: usize) -> bool;
    fn to_be_bytes(self) -> [u8; 8];
    fn to_le_bytes(self) -> [u8; 8];
    fn to_ne_bytes(self) -> [u8; 8];
    fn from_be_bytes(bytes: [u8; 8]) -> usize;
    fn from_le_bytes(bytes: [u8; 8]) -> usize;
    fn from_ne_bytes(bytes: [u8; 8]) -> usize;
    fn from_str_radix(src: &str, radix: u32) -> Result<usize, ParseIntError>;
    fn min_value() -> usize;
    fn max_value() -> usize;
}
impl crate::ops::Add for usize { type Output = usize; }
impl crate::ops::Add<&usize> for usize { type Output = usize; }
impl crate::ops::Sub for usize { type Output = usize; }
impl crate::ops::Sub<&usize> for usize { type Output = usize; }
impl crate::ops::Mul for usize { type Output = usize; }
impl crate::ops::Mul<&usize> for usize { type Output = usize; }
impl crate::ops::Div for usize { type Output = usize; }
impl crate::ops::Div<&usize> for usize { type Output = usize; }
impl crate::ops::Rem for usize { type Output = usize; }
impl crate::ops::Rem<&usize> for usize { type Output = usize; }
impl crate::ops::BitAnd for usize { type Output = usize; }
impl crate::ops::BitAnd<&usize> for usize { type Output = usize; }
impl crate::ops::BitOr for usize { type Output = usize; }
impl crate::ops::BitOr<&usize> for usize { type Output = usize; }
impl crate::ops::BitXor for usize { type Output = usize; }
impl crate::ops::BitXor<&usize> for usize { type Output = usize; }
impl crate::iter::Sum for usize {}
impl crate::iter::Sum<&usize> for usize {}
impl crate::iter::Product for usize {}
impl i8 {
    pub const MIN: i8 = 0;
    pub const MAX: i8 = 0;
    pub const BITS: u32 = 0;
    fn count_ones(self) -> u32;
    fn count_zeros(self) -> u32;
    fn leading_zeros(self) -> u32;
    fn trailing_zeros(self) -> u32;
    fn leading_ones(self) -> u32;
    fn trailing_ones(self) -> u32;
    fn ilog2(self) -> u32;
    fn ilog10(self) -> u32;
    fn swap_bytes(self) -> i8;
    fn reverse_bits(self) -> i8;
    fn to_be(self) -> i8;
    fn to_le(self) -> i8;
    fn abs(self) -> i8;
    fn signum(self) -> i8;
    fn next_power_of_two(self) -> i8;
    fn isqrt(self) -> i8;
    fn wrapping_neg(self) -> i8;
    fn wrapping_abs(self) -> i8;
    fn from_be(x: i8) -> i8;
    fn from_le(x: i8) -> i8;
    fn unsigned_abs(self) -> u8;
    fn abs_diff(self, other: i8) -> u8;
    fn cast_signed(self) -> i8;
    fn cast_unsigned(self) -> u8;
    fn rotate_left(self, n: u32) -> i8;
    fn rotate_right(self, n: u32) -> i8;
    fn pow(self, n: u32) -> i8;
    fn wrapping_shl(self, n: u32) -> i8;
    fn wrapping_shr(self, n: u32) -> i8;
    fn saturating_pow(self, n: u32) -> i8;
    fn wrapping_pow(self, n: u32) -> i8;
    fn checked_add(self, rhs: i8) -> Option<i8>;
    fn wrapping_add(self, rhs: i8) -> i8;
    fn saturating_add(self, rhs: i8) -> i8;
    fn overflowing_add(self, rhs: i8) -> (i8, bool);
    fn checked_sub(self, rhs: i8) -> Option<i8>;
    fn wrapping_sub(self, rhs: i8) -> i8;
    fn saturating_sub(self, rhs: i8) -> i8;
    fn overflowing_sub(self, rhs: i8) -> (i8, bool);
    fn checked_mul(self, rhs: i8) -> Option<i8>;
    fn wrapping_mul(self, rhs: i8) -> i8;
    fn saturating_mul(self, rhs: i8) -> i8;
    fn overflowing_mul(self, rhs: i8) -> (i8, bool);
    fn checked_div(self, rhs: i8) -> Option<i8>;
    fn wrapping_div(self, rhs: i8) -> i8;
    fn saturating_div(self, rhs: i8) -> i8;
    fn overflowing_div(self, rhs: i8) -> (i8, bool);
    fn checked_rem(self, rhs: i8) -> Option<i8>;
    fn wrapping_rem(self, rhs: i8) -> i8;
    fn saturating_rem(self, rhs: i8) -> i8;
    fn overflowing_rem(self, rhs: i8) -> (i8, bool);
    fn div_euclid(self, rhs: i8) -> i8;
    fn rem_euclid(self, rhs: i8) -> i8;
    fn div_ceil(self, rhs: i8) -> i8;
    fn next_multiple_of(self, rhs: i8) -> i8;
    fn midpoint(self, rhs: i8) -> i8;
    fn unchecked_add(self, rhs: i8) -> i8;
    fn unchecked_sub(self, rhs: i8) -> i8;
    fn checked_pow(self, exp: u32) -> Option<i8>;
    fn checked_shl(self, rhs: u32) -> Option<i8>;
    fn checked_shr(self, rhs: u32) -> Option<i8>;
    fn checked_neg(self) -> Option<i8>;
    fn checked_next_power_of_two(self) -> Option<i8>;
    fn checked_next_multiple_of(self, rhs: i8) -> Option<i8>;
    fn checked_ilog2(self) -> Option<u32>;
    fn checked_add_signed(self, rhs: i8) -> Option<i8>;
    fn checked_add_unsigned(self, rhs: u8) -> Option<i8>;
    fn saturating_add_signed(self, rhs: i8) -> i8;
    fn is_power_of_two(self) -> bool;
    fn is_positive(self) -> bool;
    fn is_negative(self) -> bool;
    fn is_multiple_of(self, rhs: i8) -> bool;
    fn to_be_bytes(self) -> [u8; 1];
    fn to_le_bytes(self) -> [u8; 1];
    fn to_ne_bytes(self) -> [u8; 1];
    fn from_be_bytes(bytes: [u8; 1]) -> i8;
    fn from_le_bytes(bytes: [u8; 1]) -> i8;
    fn from_ne_bytes(bytes: [u8; 1]) -> i8;
    fn from_str_radix(src: &str, radix: u32) -> Result<i8, ParseIntError>;
    fn min_value() -> i8;
    fn max_value() -> i8;
}
impl crate::ops::Add for i8 { type Output = i8; }
impl crate::ops::Add<&i8> for i8 { type Output = i8; }
impl crate::ops::Sub for i8 { type Output = i8; }
impl crate::ops::Sub<&i8> for i8 { type Output = i8; }
impl crate::ops::Mul for i8 { type Output = i8; }
impl crate::ops::Mul<&i8> for i8 { type Output = i8; }
impl crate::ops::Div for i8 { type Output = i8; }
impl crate::ops::Div<&i8> for i8 { type Output = i8; }
impl crate::ops::Rem for i8 { type Output = i8; }
impl crate::ops::Rem<&i8> for i8 { type Output = i8; }
impl crate::ops::BitAnd for i8 { type Output = i8; }
impl crate::ops::BitAnd<&i8> for i8 { type Output = i8; }
impl crate::ops::BitOr for i8 { type Output = i8; }
impl crate::ops::BitOr<&i8> for i8 { type Output = i8; }
impl crate::ops::BitXor for i8 { type Output = i8; }
impl crate::ops::BitXor<&i8> for i8 { type Output = i8; }
impl crate::iter::Sum for i8 {}
impl crate::iter::Sum<&i8> for i8 {}
impl crate::iter::Product for i8 {}
impl i16 {
    pub const MIN: i16 = 0;
    pub const MAX: i16 = 0;
    pub const BITS: u32 = 0;
    fn count_ones(self) -> u32;
    fn count_zeros(self) -> u32;
    fn leading_zeros(self) -> u32;
    fn trailing_zeros(self) -> u32;
    fn leading_ones(self) -> u32;
    fn trailing_ones(self) -> u32;
    fn ilog2(self) -> u32;
    fn ilog10(self) -> u32;
    fn swap_bytes(self) -> i16;
    fn reverse_bits(self) -> i16;
    fn to_be(self) -> i16;
    fn to_le(self) -> i16;
    fn abs(self) -> i16;
    fn signum(self) -> i16;
    fn next_power_of_two(self) -> i16;
    fn isqrt(self) -> i16;
    fn wrapping_neg(self) -> i16;
    fn wrapping_abs(self) -> i16;
    fn from_be(x: i16) -> i16;
    fn from_le(x: i16) -> i16;
    fn unsigned_abs(self) -> u16;
    fn abs_diff(self, other: i16) -> u16;
    fn cast_signed(self) -> i16;
    fn cast_unsigned(self) -> u16;
    fn rotate_left(self, n: u32) -> i16;
    fn rotate_right(self, n: u32) -> i16;
    fn pow(self, n: u32) -> i16;
    fn wrapping_shl(self, n: u32) -> i16;
    fn wrapping_shr(self, n: u32) -> i16;
    fn saturating_pow(self, n: u32) -> i16;
    fn wrapping_pow(self, n: u32) -> i16;
    fn checked_add(self, rhs: i16) -> Option<i16>;
    fn wrapping_add(self, rhs: i16) -> i16;
    fn saturating_add(self, rhs: i16) -> i16;
    fn overflowing_add(self, rhs: i16) -> (i16, bool);
    fn checked_sub(self, rhs: i16) -> Option<i16>;
    fn wrapping_sub(self, rhs: i16) -> i16;
    fn saturating_sub(self, rhs: i16) -> i16;
    fn overflowing_sub(self, rhs: i16) -> (i16, bool);
    fn checked_mul(self, rhs: i16) -> Option<i16>;
    fn wrapping_mul(self, rhs: i16) -> i16;
    fn saturating_mul(self, rhs: i16) -> i16;
    fn overflowing_mul(self, rhs: i16) -> (i16, bool);
    fn checked_div(self, rhs: i16) -> Option<i16>;
    fn wrapping_div(self, rhs: i16) -> i16;
    fn saturating_div(self, rhs: i16) -> i16;
    fn overflowing_div(self, rhs: i16) -> (i16, bool);
    fn checked_rem(self, rhs: i16) -> Option<i16>;
    fn wrapping_rem(self, rhs: i16) -> i16;
    fn saturating_rem(self, rhs: i16) -> i16;
    fn overflowing_rem(self, rhs: i16) -> (i16, bool);
    fn div_euclid(self, rhs: i16) -> i16;
    fn rem_euclid(self, rhs: i16) -> i16;
    fn div_ceil(self, rhs: i16) -> i16;
    fn next_multiple_of(self, rhs: i16) -> i16;
    fn midpoint(self, rhs: i16) -> i16;
    fn unchecked_add(self, rhs: i16) -> i16;
    fn unchecked_sub(self, rhs: i16) -> i16;
    fn checked_pow(self, exp: u32) -> Option<i16>;
    fn checked_shl(self, rhs: u32) -> Option<i16>;
    fn checked_shr(self, rhs: u32) -> Option<i16>;
    fn checked_neg(self) -> Option<i16>;
    fn checked_next_power_of_two(self) -> Option<i16>;
    fn checked_next_multiple_of(self, rhs: i16) -> Option<i16>;
    fn checked_ilog2(self) -> Option<u32>;
    fn checked_add_signed(self, rhs: i16) -> Option<i16>;
    fn checked_add_unsigned(self, rhs: u16) -> Option<i16>;
    fn saturating_add_signed(self, rhs: i16) -> i16;
    fn is_power_of_two(self) -> bool;
    fn is_positive(self) -> bool;
    fn is_negative(self) -> bool;
    fn is_multiple_of(self, rhs: i16) -> bool;
    fn to_be_bytes(self) -> [u8; 2];
    fn to_le_bytes(self) -> [u8; 2];
    fn to_ne_bytes(self) -> [u8; 2];
    fn from_be_bytes(bytes: [u8; 2]) -> i16;
    fn from_le_bytes(bytes: [u8; 2]) -> i16;
    fn from_ne_bytes(bytes: [u8; 2]) -> i16;
    fn from_str_radix(src: &str, radix: u32) -> Result<i16, ParseIntError>;
    fn min_value() -> i16;
    fn max_value() -> i16;
}
impl crate::ops::Add for i16 { type Output = i16; }
impl crate::ops::Add<&i16> for i16 { type Output = i16; }
impl crate::ops::Sub for i16 { type Output = i16; }
impl crate::ops::Sub<&i16> for i16 { type Output = i16; }
impl crate::ops::Mul for i16 { type Output = i16; }
impl crate::ops::Mul<&i16> for i16 { type Output = i16; }
impl crate::ops::Div for i16 { type Output = i16; }
impl crate::ops::Div<&i16> for i16 { type Output = i16; }
impl crate::ops::Rem for i16 { type Output = i16; }
impl crate::ops::Rem<&i16> for i16 { type Output = i16; }
impl crate::ops::BitAnd for i16 { type Output = i16; }
impl crate::ops::BitAnd<&i16> for i16 { type Output = i16; }
impl crate::ops::BitOr for i16 { type Output = i16; }
impl crate::ops::BitOr<&i16> for i16 { type Output = i16; }
impl crate::ops::BitXor for i16 { type Output = i16; }
impl crate::ops::BitXor<&i16> for i16 { type Output = i16; }
impl crate::iter::Sum for i16 {}
impl crate::iter::Sum<&i16> for i16 {}
impl crate::iter::Product for i16 {}
impl i32 {
    pub const MIN: i32 = 0;
    pub const MAX: i32 = 0;
    pub const BITS: u32 = 0;
    fn count_ones(self) -> u32;
    fn count_zeros(self) -> u32;
    fn leading_zeros(self) -> u32;
    fn trailing_zeros(self) -> u32;
    fn leading_ones(self) -> u32;
    fn trailing_ones(self) -> u32;
    fn ilog2(self) -> u32;
    fn ilog10(self) -> u32;
    fn swap_bytes(self) -> i32;
    fn reverse_bits(self) -> i32;
    fn to_be(self) -> i32;
    fn to_le(self) -> i32;
    fn abs(self) -> i32;
    fn signum(self) -> i32;
    fn next_power_of_two(self) -> i32;
    fn isqrt(self) -> i32;
    fn wrapping_neg(self) -> i32;
    fn wrapping_abs(self) -> i32;
    fn from_be(x: i32) -> i32;
    fn from_le(x: i32) -> i32;
    fn unsigned_abs(self) -> u32;
    fn abs_diff(self, other: i32) -> u32;
    fn cast_signed(self) -> i32;
    fn cast_unsigned(self) -> u32;
    fn rotate_left(self, n: u32) -> i32;
    fn rotate_right(self, n: u32) -> i32;
    fn pow(self, n: u32) -> i32;
    fn wrapping_shl(self, n: u32) -> i32;
    fn wrapping_shr(self, n: u32) -> i32;
    fn saturating_pow(self, n: u32) -> i32;
    fn wrapping_pow(self, n: u32) -> i32;
    fn checked_add(self, rhs: i32) -> Option<i32>;
    fn wrapping_add(self, rhs: i32) -> i32;
    fn saturating_add(self, rhs: i32) -> i32;
    fn overflowing_add(self, rhs: i32) -> (i32, bool);
    fn checked_sub(self, rhs: i32) -> Option<i32>;
    fn wrapping_sub(self, rhs: i32) -> i32;
    fn saturating_sub(self, rhs: i32) -> i32;
    fn overflowing_sub(self, rhs: i32) -> (i32, bool);
    fn checked_mul(self, rhs: i32) -> Option<i32>;
    fn wrapping_mul(self, rhs: i32) -> i32;
    fn saturating_mul(self, rhs: i32) -> i32;
    fn overflowing_mul(self, rhs: i32) -> (i32, bool);
    fn checked_div(self, rhs: i32) -> Option<i32>;
    fn wrapping_div(self, rhs: i32) -> i32;
    fn saturating_div(self, rhs: i32) -> i32;
    fn overflowing_div(self, rhs: i32) -> (i32, bool);
    fn checked_rem(self, rhs: i32) -> Option<i32>;
    fn wrapping_rem(self, rhs: i32) -> i32;
    fn saturating_rem(self, rhs: i32) -> i32;
    fn overflowing_rem(self, rhs: i32) -> (i32, bool);
    fn div_euclid(self, rhs: i32) -> i32;
    fn rem_euclid(self, rhs: i32) -> i32;
    fn div_ceil(self, rhs: i32) -> i32;
    fn next_multiple_of(self, rhs: i32) -> i32;
    fn midpoint(self, rhs: i32) -> i32;
    fn unchecked_add(self, rhs: i32) -> i32;
    fn unchecked_sub(self, rhs: i32) -> i32;
    fn checked_pow(self, exp: u32) -> Option<i32>;
    fn checked_shl(self, rhs: u32) -> Option<i32>;
    fn checked_shr(self, rhs: u32) -> Option<i32>;
    fn checked_neg(self) -> Option<i32>;
    fn checked_next_power_of_two(self) -> Option<i32>;
    fn checked_next_multiple_of(self, rhs: i32) -> Option<i32>;
    fn checked_ilog2(self) -> Option<u32>;
    fn checked_add_signed(self, rhs: i32) -> Option<i32>;
    fn checked_add_unsigned(self, rhs: u32) -> Option<i32>;
    fn saturating_add_signed(self, rhs: i32) -> i32;
    fn is_power_of_two(self) -> bool;
    fn is_positive(self) -> bool;
    fn is_negative(self) -> bool;
    fn is_multiple_of(self, rhs: i32) -> bool;
    fn to_be_bytes(self) -> [u8; 4];
    fn to_le_bytes(self) -> [u8; 4];
    fn to_ne_bytes(self) -> [u8; 4];
    fn from_be_bytes(bytes: [u8; 4]) -> i32;
    fn from_le_bytes(bytes: [u8; 4]) -> i32;
    fn from_ne_bytes(bytes: [u8; 4]) -> i32;
    fn from_str_radix(src: &str, radix: u32) -> Result<i32, ParseIntError>;
    fn min_value() -> i32;
    fn max_value() -> i32;
}
impl crate::ops::Add for i32 { type Output = i32; }
impl crate::ops::Add<&i32> for i32 { type Output = i32; }
impl crate::ops::Sub for i32 { type Output = i32; }
impl crate::ops::Sub<&i32> for i32 { type Output = i32; }
impl crate::ops::Mul for i32 { type Output = i32; }
impl crate::ops::Mul<&i32> for i32 { type Output = i32; }
impl crate::ops::Div for i32 { type Output = i32; }
impl crate::ops::Div<&i32> for i32 { type Output = i32; }
impl crate::ops::Rem for i32 { type Output = i32; }
impl crate::ops::Rem<&i32> for i32 { type Output = i32; }
impl crate::ops::BitAnd for i32 { type Output = i32; }
impl crate::ops::BitAnd<&i32> for i32 { type Output = i32; }
impl crate::ops::BitOr for i32 { type Output = i32; }
impl crate::ops::BitOr<&i32> for i32 { type Output = i32; }
impl crate::ops::BitXor for i32 { type Output = i32; }
impl crate::ops::BitXor<&i32> for i32 { type Output = i32; }
impl crate::iter::Sum for i32 {}
impl crate::iter::Sum<&i32> for i32 {}
impl crate::iter::Product for i32 {}
impl i64 {
    pub const MIN: i64 = 0;
    pub const MAX: i64 = 0;
    pub const BITS: u32 = 0;
    fn count_ones(self) -> u32;
    fn count_zeros(self) -> u32;
    fn leading_zeros(self) -> u32;
    fn trailing_zeros(self) -> u32;
    fn leading_ones(self) -> u32;
    fn trailing_ones(self) -> u32;
    fn ilog2(self) -> u32;
    fn ilog10(self) -> u32;
    fn swap_bytes(self) -> i64;
    fn reverse_bits(self) -> i64;
    fn to_be(self) -> i64;
    fn to_le(self) -> i64;
    fn abs(self) -> i64;
    fn signum(self) -> i64;
    fn next_power_of_two(self) -> i64;
    fn isqrt(self) -> i64;
    fn wrapping_neg(self) -> i64;
    fn wrapping_abs(self) -> i64;
    fn from_be(x: i64) -> i64;
    fn from_le(x: i64) -> i64;
    fn unsigned_abs(self) -> u64;
    fn abs_diff(self, other: i64) -> u64;
    fn cast_signed(self) -> i64;
    fn cast_unsigned(self) -> u64;
    fn rotate_left(self, n: u32) -> i64;
    fn rotate_right(self, n: u32) -> i64;
    fn pow(self, n: u32) -> i64;
    fn wrapping_shl(self, n: u32) -> i64;
    fn wrapping_shr(self, n: u32) -> i64;
    fn saturating_pow(self, n: u32) -> i64;
    fn wrapping_pow(self, n: u32) -> i64;
    fn checked_add(self, rhs: i64) -> Option<i64>;
    fn wrapping_add(self, rhs: i64) -> i64;
    fn saturating_add(self, rhs: i64) -> i64;
    fn overflowing_add(self, rhs: i64) -> (i64, bool);
    fn checked_sub(self, rhs: i64) -> Option<i64>;
    fn wrapping_sub(self, rhs: i64) -> i64;
    fn saturating_sub(self, rhs: i64) -> i64;
    fn overflowing_sub(self, rhs: i64) -> (i64, bool);
    fn checked_mul(self, rhs: i64) -> Option<i64>;
    fn wrapping_mul(self, rhs: i64) -> i64;
    fn saturating_mul(self, rhs: i64) -> i64;
    fn overflowing_mul(self, rhs: i64) -> (i64, bool);
    fn checked_div(self, rhs: i64) -> Option<i64>;
    fn wrapping_div(self, rhs: i64) -> i64;
    fn saturating_div(self, rhs: i64) -> i64;
    fn overflowing_div(self, rhs: i64) -> (i64, bool);
    fn checked_rem(self, rhs: i64) -> Option<i64>;
    fn wrapping_rem(self, rhs: i64) -> i64;
    fn saturating_rem(self, rhs: i64) -> i64;
    fn overflowing_rem(self, rhs: i64) -> (i64, bool);
    fn div_euclid(self, rhs: i64) -> i64;
    fn rem_euclid(self, rhs: i64) -> i64;
    fn div_ceil(self, rhs: i64) -> i64;
    fn next_multiple_of(self, rhs: i64) -> i64;
    fn midpoint(self, rhs: i64) -> i64;
    fn unchecked_add(self, rhs: i64) -> i64;
    fn unchecked_sub(self, rhs: i64) -> i64;
    fn checked_pow(self, exp: u32) -> Option<i64>;
    fn checked_shl(self, rhs: u32) -> Option<i64>;
    fn checked_shr(self, rhs: u32) -> Option<i64>;
    fn checked_neg(self) -> Option<i64>;
    fn checked_next_power_of_two(self) -> Option<i64>;
    fn checked_next_multiple_of(self, rhs: i64) -> Option<i64>;
    fn checked_ilog2(self) -> Option<u32>;
    fn checked_add_signed(self, rhs: i64) -> Option<i64>;
    fn checked_add_unsigned(self, rhs: u64) -> Option<i64>;
    fn saturating_add_signed(self, rhs: i64) -> i64;
    fn is_power_of_two(self) -> bool;
    fn is_positive(self) -> bool;
    fn is_negative(self) -> bool;
    fn is_multiple_of(self, rhs: i64) -> bool;
    fn to_be_bytes(self) -> [u8; 8];
    fn to_le_bytes(self) -> [u8; 8];
    fn to_ne_bytes(self) -> [u8; 8];
    fn from_be_bytes(bytes: [u8; 8]) -> i64;
    fn from_le_bytes(bytes: [u8; 8]) -> i64;
    fn from_ne_bytes(bytes: [u8; 8]) -> i64;
    fn from_str_radix(src: &str, radix: u32) -> Result<i64, ParseIntError>;
    fn min_value() -> i64;
    fn max_value() -> i64;
}
impl crate::ops::Add for i64 { type Output = i64; }
impl crate::ops::Add<&i64> for i64 { type Output = i64; }
impl crate::ops::Sub for i64 { type Output = i64; }
impl crate::ops::Sub<&i64> for i64 { type Output = i64; }
impl crate::ops::Mul for i64 { type Output = i64; }
impl crate::ops::Mul<&i64> for i64 { type Output = i64; }
impl crate::ops::Div for i64 { type Output = i64; }
impl crate::ops::Div<&i64> for i64 { type Output = i64; }
impl crate::ops::Rem for i64 { type Output = i64; }
impl crate::ops::Rem<&i64> for i64 { type Output = i64; }
impl crate::ops::BitAnd for i64 { type Output = i64; }
impl crate::ops::BitAnd<&i64> for i64 { type Output = i64; }
impl crate::ops::BitOr for i64 { type Output = i64; }
impl crate::ops::BitOr<&i64> for i64 { type Output = i64; }
impl crate::ops::BitXor for i64 { type Output = i64; }
impl crate::ops::BitXor<&i64> for i64 { type Output = i64; }
impl crate::iter::Sum for i64 {}
impl crate::iter::Sum<&i64> for i64 {}
impl crate::iter::Product for i64 {}
impl i128 {
    pub const MIN: i128 = 0;
    pub const MAX: i128 = 0;
    pub const BITS: u32 = 0;
    fn count_ones(self) -> u32;
    fn count_zeros(self) -> u32;
    fn leading_zeros(self) -> u32;
    fn trailing_zeros(self) -> u32;
    fn leading_ones(self) -> u32;
    fn trailing_ones(self) -> u32;
    fn ilog2(self) -> u32;
    fn ilog10(self) -> u32;
    fn swap_bytes(self) -> i128;
    fn reverse_bits(self) -> i128;
    fn to_be(self) -> i128;
    fn to_le(self) -> i128;
    fn abs(self) -> i128;
    fn signum(self) -> i128;
    fn next_power_of_two(self) -> i128;
    fn isqrt(self) -> i128;
    fn wrapping_neg(self) -> i128;
    fn wrapping_abs(self) -> i128;
    fn from_be(x: i128) -> i128;
    fn from_le(x: i128) -> i128;
    fn unsigned_abs(self) -> u128;
    fn abs_diff(self, other: i128) -> u128;
    fn cast_signed(self) -> i128;
    fn cast_unsigned(self) -> u128;
    fn rotate_left(self, n: u32) -> i128;
    fn rotate_right(self, n: u32) -> i128;
    fn pow(self, n: u32) -> i128;
    fn wrapping_shl(self, n: u32) -> i128;
    fn wrapping_shr(self, n: u32) -> i128;
    fn saturating_pow(self, n: u32) -> i128;
    fn wrapping_pow(self, n: u32) -> i128;
    fn checked_add(self, rhs: i128) -> Option<i128>;
    fn wrapping_add(self, rhs: i128) -> i128;
    fn saturating_add(self, rhs: i128) -> i128;
    fn overflowing_add(self, rhs: i128) -> (i128, bool);
    fn checked_sub(self, rhs: i128) -> Option<i128>;
    fn wrapping_sub(self, rhs: i128) -> i128;
    fn saturating_sub(self, rhs: i128) -> i128;
    fn overflowing_sub(self, rhs: i128) -> (i128, bool);
    fn checked_mul(self, rhs: i128) -> Option<i128>;
    fn wrapping_mul(self, rhs: i128) -> i128;
    fn saturating_mul(self, rhs: i128) -> i128;
    fn overflowing_mul(self, rhs: i128) -> (i128, bool);
    fn checked_div(self, rhs: i128) -> Option<i128>;
    fn wrapping_div(self, rhs: i128) -> i128;
    fn saturating_div(self, rhs: i128) -> i128;
    fn overflowing_div(self, rhs: i128) -> (i128, bool);
    fn checked_rem(self, rhs: i128) -> Option<i128>;
    fn wrapping_rem(self, rhs: i128) -> i128;
    fn saturating_rem(self, rhs: i128) -> i128;
    fn overflowing_rem(self, rhs: i128) -> (i128, bool);
    fn div_euclid(self, rhs: i128) -> i128;
    fn rem_euclid(self, rhs: i128) -> i128;
    fn div_ceil(self, rhs: i128) -> i128;
    fn next_multiple_of(self, rhs: i128) -> i128;
    fn midpoint(self, rhs: i128) -> i128;
    fn unchecked_add(self, rhs: i128) -> i128;
    fn unchecked_sub(self, rhs: i128) -> i128;
    fn checked_pow(self, exp: u32) -> Option<i128>;
    fn checked_shl(self, rhs: u32) -> Option<i128>;
    fn checked_shr(self, rhs: u32) -> Option<i128>;
    fn checked_neg(self) -> Option<i128>;
    fn checked_next_power_of_two(self) -> Option<i128>;
    fn checked_next_multiple_of(self, rhs: i128) -> Option<i128>;
    fn checked_ilog2(self) -> Option<u32>;
    fn checked_add_signed(self, rhs: i128) -> Option<i128>;
    fn checked_add_unsigned(self, rhs: u128) -> Option<i128>;
    fn saturating_add_signed(self, rhs: i128) -> i128;
    fn is_power_of_two(self) -> bool;
    fn is_positive(self) -> bool;
    fn is_negative(self) -> bool;
    fn is_multiple_of(self, rhs: i128) -> bool;
    fn to_be_bytes(self) -> [u8; 16];
    fn to_le_bytes(self) -> [u8; 16];
    fn to_ne_bytes(self) -> [u8; 16];
    fn from_be_bytes(bytes: [u8; 16]) -> i128;
    fn from_le_bytes(bytes: [u8; 16]) -> i128;
    fn from_ne_bytes(bytes: [u8; 16]) -> i128;
    fn from_str_radix(src: &str, radix: u32) -> Result<i128, ParseIntError>;
    fn min_value() -> i128;
    fn max_value() -> i128;
}
impl crate::ops::Add for i128 { type Output = i128; }
impl crate::ops::Add<&i128> for i128 { type Output = i128; }
impl crate::ops::Sub for i128 { type Output = i128; }
impl crate::ops::Sub<&i128> for i128 { type Output = i128; }
impl crate::ops::Mul for i128 { type Output = i128; }
impl crate::ops::Mul<&i128> for i128 { type Output = i128; }
impl crate::ops::Div for i128 { type Output = i128; }
impl crate::ops::Div<&i128> for i128 { type Output = i128; }
impl crate::ops::Rem for i128 { type Output = i128; }
impl crate::ops::Rem<&i128> for i128 { type Output = i128; }
impl crate::ops::BitAnd for i128 { type Output = i128; }
impl crate::ops::BitAnd<&i128> for i128 { type Output = i128; }
impl crate::ops::BitOr for i128 { type Output = i128; }
impl crate::ops::BitOr<&i128> for i128 { type Output = i128; }
impl crate::ops::BitXor for i128 { type Output = i128; }
impl crate::ops::BitXor<&i128> for i128 { type Output = i128; }
impl crate::iter::Sum for i128 {}
impl crate::iter::Sum<&i128> for i128 {}
impl crate::iter::Product for i128 {}
impl isize {
    pub const MIN: isize = 0;
    pub const MAX: isize = 0;
    pub const BITS: u32 = 0;
    fn count_ones(self) -> u32;
    fn count_zeros(self) -> u32;
    fn leading_zeros(self) -> u32;
    fn trailing_zeros(self) -> u32;
    fn leading_ones(self) -> u32;
    fn trailing_ones(self) -> u32;
    fn ilog2(self) -> u32;
    fn ilog10(self) -> u32;
    fn swap_bytes(self) -> isize;
    fn reverse_bits(self) -> isize;
    fn to_be(self) -> isize;
    fn to_le(self) -> isize;
    fn abs(self) -> isize;
    fn signum(self) -> isize;
    fn next_power_of_two(self) -> isize;
    fn isqrt(self) -> isize;
    fn wrapping_neg(self) -> isize;
    fn wrapping_abs(self) -> isize;
    fn from_be(x: isize) -> isize;
    fn from_le(x: isize) -> isize;
    fn unsigned_abs(self) -> usuze;
    fn abs_diff(self, other: isize) -> usuze;
    fn cast_signed(self) -> isize;
    fn cast_unsigned(self) -> usuze;
    fn rotate_left(self, n: u32) -> isize;
    fn rotate_right(self, n: u32) -> isize;
    fn pow(self, n: u32) -> isize;
    fn wrapping_shl(self, n: u32) -> isize;
    fn wrapping_shr(self, n: u32) -> isize;
    fn saturating_pow(self, n: u32) -> isize;
    fn wrapping_pow(self, n: u32) -> isize;
    fn checked_add(self, rhs: isize) -> Option<isize>;
    fn wrapping_add(self, rhs: isize) -> isize;
    fn saturating_add(self, rhs: isize) -> isize;
    fn overflowing_add(self, rhs: isize) -> (isize, bool);
    fn checked_sub(self, rhs: isize) -> Option<isize>;
    fn wrapping_sub(self, rhs: isize) -> isize;
    fn saturating_sub(self, rhs: isize) -> isize;
    fn overflowing_sub(self, rhs: isize) -> (isize, bool);
    fn checked_mul(self, rhs: isize) -> Option<isize>;
    fn wrapping_mul(self, rhs: isize) -> isize;
    fn saturating_mul(self, rhs: isize) -> isize;
    fn overflowing_mul(self, rhs: isize) -> (isize, bool);
    fn checked_div(self, rhs: isize) -> Option<isize>;
    fn wrapping_div(self, rhs: isize) -> isize;
    fn saturating_div(self, rhs: isize) -> isize;
    fn overflowing_div(self, rhs: isize) -> (isize, bool);
    fn checked_rem(self, rhs: isize) -> Option<isize>;
    fn wrapping_rem(self, rhs: isize) -> isize;
    fn saturating_rem(self, rhs: isize) -> isize;
    fn overflowing_rem(self, rhs: isize) -> (isize, bool);
    fn div_euclid(self, rhs: isize) -> isize;
    fn rem_euclid(self, rhs: isize) -> isize;
    fn div_ceil(self, rhs: isize) -> isize;
    fn next_multiple_of(self, rhs: isize) -> isize;
    fn midpoint(self, rhs: isize) -> isize;
    fn unchecked_add(self, rhs: isize) -> isize;
    fn unchecked_sub(self, rhs: isize) -> isize;
    fn checked_pow(self, exp: u32) -> Option<isize>;
    fn checked_shl(self, rhs: u32) -> Option<isize>;
    fn checked_shr(self, rhs: u32) -> Option<isize>;
    fn checked_neg(self) -> Option<isize>;
    fn checked_next_power_of_two(self) -> Option<isize>;
    fn checked_next_multiple_of(self, rhs: isize) -> Option<isize>;
    fn checked_ilog2(self) -> Option<u32>;
    fn checked_add_signed(self, rhs: isize) -> Option<isize>;
    fn checked_add_unsigned(self, rhs: usuze) -> Option<isize>;
    fn saturating_add_signed(self, rhs: isize) -> isize;
    fn is_power_of_two(self) -> bool;
    fn is_positive(self) -> bool;
    fn is_negative(self) -> bool;
    fn is_multiple_of(self, rhs: isize) -> bool;
    fn to_be_bytes(self) -> [u8; 8];
    fn to_le_bytes(self) -> [u8; 8];
    fn to_ne_bytes(self) -> [u8; 8];
    fn from_be_bytes(bytes: [u8; 8]) -> isize;
    fn from_le_bytes(bytes: [u8; 8]) -> isize;
    fn from_ne_bytes(bytes: [u8; 8]) -> isize;
    fn from_str_radix(src: &str, radix: u32) -> Result<isize, ParseIntError>;
    fn min_value() -> isize;
    fn max_value() -> isize;
}
impl crate::ops::Add for isize { type Output = isize; }
impl crate::ops::Add<&isize> for isize { type Output = isize; }
impl crate::ops::Sub for isize { type Output = isize; }
impl crate::ops::Sub<&isize> for isize { type Output = isize; }
impl crate::ops::Mul for isize { type Output = isize; }
impl crate::ops::Mul<&isize> for isize { type Output = isize; }
impl crate::ops::Div for isize { type Output = isize; }
impl crate::ops::Div<&isize> for isize { type Output = isize; }
impl crate::ops::Rem for isize { type Output = isize; }
impl crate::ops::Rem<&isize> for isize { type Output = isize; }
impl crate::ops::BitAnd for isize { type Output = isize; }
impl crate::ops::BitAnd<&isize> for isize { type Output = isize; }
impl crate::ops::BitOr for isize { type Output = isize; }
impl crate::ops::BitOr<&isize> for isize { type Output = isize; }
impl crate::ops::BitXor for isize { type Output = isize; }
impl crate::ops::BitXor<&isize> for isize { type Output = isize; }
impl crate::iter::Sum for isize {}
impl crate::iter::Sum<&isize> for isize {}
impl crate::iter::Product for isize {}
impl u8 {
    fn is_ascii(&self) -> bool;
    fn as_ascii(&self) -> Option<u8>;
    fn to_ascii_uppercase(&self) -> u8;
    fn to_ascii_lowercase(&self) -> u8;
    fn eq_ignore_ascii_case(&self, other: &u8) -> bool;
    fn make_ascii_lowercase(&mut self);
    fn is_ascii_alphabetic(&self) -> bool;
    fn is_ascii_uppercase(&self) -> bool;
    fn is_ascii_lowercase(&self) -> bool;
    fn is_ascii_alphanumeric(&self) -> bool;
    fn is_ascii_digit(&self) -> bool;
    fn is_ascii_hexdigit(&self) -> bool;
    fn is_ascii_punctuation(&self) -> bool;
    fn is_ascii_graphic(&self) -> bool;
    fn is_ascii_whitespace(&self) -> bool;
    fn is_ascii_control(&self) -> bool;
    fn is_utf8_char_boundary(self) -> bool;
    fn escape_ascii(self) -> crate::ascii::EscapeDefault;
}
impl f32 {
    pub const MIN: f32 = 0.0;
    pub const MAX: f32 = 0.0;
    pub const EPSILON: f32 = 0.0;
    pub const INFINITY: f32 = 0.0;
    pub const NEG_INFINITY: f32 = 0.0;
    pub const NAN: f32 = 0.0;
    pub const MIN_POSITIVE: f32 = 0.0;
    fn floor(self) -> f32;
    fn ceil(self) -> f32;
    fn round(self) -> f32;
    fn trunc(self) -> f32;
    fn fract(self) -> f32;
    fn abs(self) -> f32;
    fn signum(self) -> f32;
    fn sqrt(self) -> f32;
    fn cbrt(self) -> f32;
    fn exp(self) -> f32;
    fn exp2(self) -> f32;
    fn ln(self) -> f32;
    fn log2(self) -> f32;
    fn log10(self) -> f32;
    fn sin(self) -> f32;
    fn cos(self) -> f32;
    fn tan(self) -> f32;
    fn asin(self) -> f32;
    fn acos(self) -> f32;
    fn atan(self) -> f32;
    fn sinh(self) -> f32;
    fn cosh(self) -> f32;
    fn tanh(self) -> f32;
    fn recip(self) -> f32;
    fn to_degrees(self) -> f32;
    fn to_radians(self) -> f32;
    fn powf(self, other: f32) -> f32;
    fn log(self, other: f32) -> f32;
    fn atan2(self, other: f32) -> f32;
    fn hypot(self, other: f32) -> f32;
    fn max(self, other: f32) -> f32;
    fn min(self, other: f32) -> f32;
    fn copysign(self, other: f32) -> f32;
    fn div_euclid(self, other: f32) -> f32;
    fn rem_euclid(self, other: f32) -> f32;
    fn mul_add(self, a: f32, b: f32) -> f32;
    fn clamp(self, min: f32, max: f32) -> f32;
    fn powi(self, n: i32) -> f32;
    fn sin_cos(self) -> (f32, f32);
    fn to_bits(self) -> u32;
    fn from_bits(v: u32) -> f32;
    fn total_cmp(&self, other: &f32) -> crate::cmp::Ordering;
    fn is_nan(self) -> bool;
    fn is_infinite(self) -> bool;
    fn is_finite(self) -> bool;
    fn is_normal(self) -> bool;
    fn is_sign_positive(self) -> bool;
    fn is_sign_negative(self) -> bool;
}
impl crate::ops::Add for f32 { type Output = f32; }
impl crate::ops::Sub for f32 { type Output = f32; }
impl crate::ops::Mul for f32 { type Output = f32; }
impl crate::ops::Div for f32 { type Output = f32; }
impl crate::ops::Rem for f32 { type Output = f32; }
impl crate::iter::Sum for f32 {}
impl crate::iter::Sum<&f32> for f32 {}
impl crate::iter::Product for f32 {}
impl f64 {
    pub const MIN: f64 = 0.0;
    pub const MAX: f64 = 0.0;
    pub const EPSILON: f64 = 0.0;
    pub const INFINITY: f64 = 0.0;
    pub const NEG_INFINITY: f64 = 0.0;
    pub const NAN: f64 = 0.0;
    pub const MIN_POSITIVE: f64 = 0.0;
    fn floor(self) -> f64;
    fn ceil(self) -> f64;
    fn round(self) -> f64;
    fn trunc(self) -> f64;
    fn fract(self) -> f64;
    fn abs(self) -> f64;
    fn signum(self) -> f64;
    fn sqrt(self) -> f64;
    fn cbrt(self) -> f64;
    fn exp(self) -> f64;
    fn exp2(self) -> f64;
    fn ln(self) -> f64;
    fn log2(self) -> f64;
    fn log10(self) -> f64;
    fn sin(self) -> f64;
    fn cos(self) -> f64;
    fn tan(self) -> f64;
    fn asin(self) -> f64;
    fn acos(self) -> f64;
    fn atan(self) -> f64;
    fn sinh(self) -> f64;
    fn cosh(self) -> f64;
    fn tanh(self) -> f64;
    fn recip(self) -> f64;
    fn to_degrees(self) -> f64;
    fn to_radians(self) -> f64;
    fn powf(self, other: f64) -> f64;
    fn log(self, other: f64) -> f64;
    fn atan2(self, other: f64) -> f64;
    fn hypot(self, other: f64) -> f64;
    fn max(self, other: f64) -> f64;
    fn min(self, other: f64) -> f64;
    fn copysign(self, other: f64) -> f64;
    fn div_euclid(self, other: f64) -> f64;
    fn rem_euclid(self, other: f64) -> f64;
    fn mul_add(self, a: f64, b: f64) -> f64;
    fn clamp(self, min: f64, max: f64) -> f64;
    fn powi(self, n: i32) -> f64;
    fn sin_cos(self) -> (f64, f64);
    fn to_bits(self) -> u64;
    fn from_bits(v: u64) -> f64;
    fn total_cmp(&self, other: &f64) -> crate::cmp::Ordering;
    fn is_nan(self) -> bool;
    fn is_infinite(self) -> bool;
    fn is_finite(self) -> bool;
    fn is_normal(self) -> bool;
    fn is_sign_positive(self) -> bool;
    fn is_sign_negative(self) -> bool;
}
impl crate::ops::Add for f64 { type Output = f64; }
impl crate::ops::Sub for f64 { type Output = f64; }
impl crate::ops::Mul for f64 { type Output = f64; }
impl crate::ops::Div for f64 { type Output = f64; }
impl crate::ops::Rem for f64 { type Output = f64; }
impl crate::iter::Sum for f64 {}
impl crate::iter::Sum<&f64> for f64 {}
impl crate::iter::Product for f64 {}
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseIntError;
impl ParseIntError { fn kind(&self) -> &IntErrorKind; }
impl crate::fmt::Display for ParseIntError {}
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IntErrorKind { Empty, InvalidDigit, PosOverflow, NegOverflow, Zero }
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseFloatError;
impl crate::fmt::Display for ParseFloatError {}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TryFromIntError;
impl crate::fmt::Display for TryFromIntError {}
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wrapping<T>(pub T);
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NonZero<T>;
impl<T> NonZero<T> {
    fn new(n: T) -> Option<Self>;
    fn new_unchecked(n: T) -> Self;
    fn get(self) -> T;
}
pub type NonZeroU8 = NonZero<u8>;
pub type NonZeroU16 = NonZero<u16>;
pub type NonZeroU32 = NonZero<u32>;
pub type NonZeroU64 = NonZero<u64>;
pub type NonZeroU128 = NonZero<u128>;
pub type NonZeroUsize = NonZero<usize>;
pub type NonZeroI8 = NonZero<i8>;
pub type NonZeroI16 = NonZero<i16>;
pub type NonZeroI32 = NonZero<i32>;
pub type NonZeroI64 = NonZero<i64>;
pub type NonZeroI128 = NonZero<i128>;
pub type NonZeroIsize = NonZero<isize>;
