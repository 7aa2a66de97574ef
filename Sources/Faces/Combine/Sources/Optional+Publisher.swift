extension Optional {
    /// A publisher of the wrapped value, or of none.
    public var publisher: Publishers.Sequence<[Wrapped], Never> {
        Publishers.Sequence(sequence: map { [$0] } ?? [])
    }
}
