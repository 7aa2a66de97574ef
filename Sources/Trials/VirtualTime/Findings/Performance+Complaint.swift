extension Performance {
    /// The first failure, in words; nil if nothing went wrong. A process fails by its ending, or by a line on its
    /// standard error that begins with FINDING.
    public var complaint: String? { Complaint(about: self)?.description }
}
