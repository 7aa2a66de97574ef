extension Publishers {
    /// A publisher of the elements of a sequence.
    public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
        /// The type of the values.
        public typealias Output = Elements.Element

        /// The sequence.
        public let sequence: Elements

        /// Creates a publisher of a sequence's elements.
        public init(sequence: Elements) { self.sequence = sequence }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let source = SequenceSource(sequence.makeIterator(), subscriber)
            subscriber.receive(subscription: source)
            source.request(.none)
        }
    }
}

extension Swift.Sequence {
    /// A publisher of the elements of this sequence.
    public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}
