//! Memory: what a surrogate and a controller take, all of it inline, and that they can be a `static`.

use sadcbo::Controller;
use sadcbo::gp::Gp;

/// 1.15 times the square for both triangles, the inputs, and eight numbers for each observation.
fn allowed(n: usize, variables: usize) -> usize {
    let bytes = 4 * n * n + 4 * n * (variables + 8);
    bytes * 115 / 100
}

fn check<const N: usize, const D: usize, const C: usize>() {
    let (size, allowed) = (size_of::<Gp<N, D, C>>(), allowed(N, D + C));
    println!("| {N} | {} | {size} | {allowed} |", D + C);
    assert!(size <= allowed, "{N} x {}: {size} > {allowed}", D + C);
    // Single precision is half of double precision: no part of it has a size of its own.
    assert!(size_of::<Gp<N, D, C, f64>>() <= 2 * size);
}

/// Prints the table (`cargo test --test footprint -- --nocapture`).
#[test]
fn a_surrogate_takes_little_more_than_its_numbers() {
    println!("| observations | variables | bytes | allowed |");
    println!("|---|---|---|---|");
    check::<64, 2, 5>();
    check::<64, 7, 0>();
    check::<64, 6, 6>();
    check::<128, 2, 5>();
    check::<128, 0, 7>();
    check::<128, 6, 6>();
}

static EMPTY: Gp<64, 2, 5> = Gp::new();

#[test]
fn a_surrogate_is_built_at_compile_time() {
    assert!(EMPTY.is_empty());
    assert_eq!(EMPTY.capacity(), 64);
    const { assert!(Gp::<1, 32, 32>::new().is_empty()) };
}

/// The bounds. Room for D^Q and the records of the run are in it; decisions and futures are on the stack.
#[test]
fn a_controller_fits_its_part() {
    for (name, size, kib) in [
        ("64, 2, 5", size_of::<Controller<64, 2, 5>>(), 28),
        ("128, 3, 9", size_of::<Controller<128, 3, 9>>(), 92),
    ] {
        println!("Controller<{name}>: {size} bytes");
        assert!(size <= kib * 1024, "{name}: {size}");
    }
}
