fn main() {
    sadcbo_link::board();
}
