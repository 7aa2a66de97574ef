extension Publisher where Failure == Never {
    /// Returns a publisher that sends nothing before it is connected.
    public func makeConnectable() -> Publishers.Multicast<Self, PassthroughSubject<Output, Never>> {
        multicast { PassthroughSubject() }
    }
}
