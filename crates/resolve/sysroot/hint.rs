// `std::hint`.

pub fn black_box<T>(dummy: T) -> T;
pub fn spin_loop();
pub unsafe fn unreachable_unchecked() -> !;
