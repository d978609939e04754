//! The surrogate on a desktop, timed beside its peers in the same run: `cargo xtask bench-host`.
//!
//! Times of a shared machine move, so every row times all candidates in turn, round after round, and shows medians: the
//! ratios within a row are what to trust. All candidates use one thread.

mod egobox;
mod number;
mod on_faer;
mod on_nalgebra;
mod own;
mod problem;
mod rows;
mod timing;

fn main() {
    problem::check();
    faer::set_global_parallelism(faer::Par::Seq);
    println!("Hartmann's function of 6 variables among 12 inputs, noise-free, standardised.\n");
    rows::factorisation();
    rows::likelihood();
    rows::posterior();
    rows::fit();
}
