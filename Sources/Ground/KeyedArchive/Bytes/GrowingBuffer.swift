/// Memory for elements that are plain bits, grown at its end.
///
/// Arrays do the same, but check on each append who else holds them, and a class that has one checks each access to it; writing
/// an archive appends some hundred times for a small object, and those checks were half of its cost. This is a handle: it is held by
/// `let`, and has one owner as it cannot be copied. Subscripts are checked in debug builds.
struct GrowingBuffer<Element: BitwiseCopyable>: ~Copyable {
    private struct State {
        var base: UnsafeMutablePointer<Element>
        var count: Int
        var capacity: Int
        /// Whether the elements stand where they were first put: behind this.
        var isFirst: Bool
    }

    private let state: UnsafeMutablePointer<State>

    init(capacity: Int) {
        // One piece of memory for the state and the first elements.
        let stateSize = MemoryLayout<State>.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: stateSize + capacity * MemoryLayout<Element>.stride, alignment: MemoryLayout<State>.alignment)
        let base = (memory + stateSize).bindMemory(to: Element.self, capacity: capacity)
        state = memory.bindMemory(to: State.self, capacity: 1)
        state.initialize(to: State(base: base, count: 0, capacity: capacity, isFirst: true))
    }

    init(repeating element: Element, count: Int) {
        self.init(capacity: count)
        append(repeating: element, count: count)
    }

    deinit {
        if !state.pointee.isFirst { state.pointee.base.deallocate() }
        UnsafeMutableRawPointer(state).deallocate()
    }

    @inline(__always)
    var count: Int { state.pointee.count }

    subscript(position: Int) -> Element {
        @inline(__always)
        get {
            assert(position >= 0 && position < count)
            return state.pointee.base[position]
        }
        @inline(__always)
        nonmutating set {
            assert(position >= 0 && position < count)
            state.pointee.base[position] = newValue
        }
    }

    @inline(__always)
    func append(_ element: Element) {
        if state.pointee.count == state.pointee.capacity { grow(to: state.pointee.count + 1) }
        state.pointee.base[state.pointee.count] = element
        state.pointee.count += 1
    }

    @inline(__always)
    func append(copying elements: UnsafeBufferPointer<Element>) {
        guard let source = elements.baseAddress else { return }
        reserve(elements.count)
        (state.pointee.base + state.pointee.count).update(from: source, count: elements.count)
        state.pointee.count += elements.count
    }

    /// Appends elements that a closure stores.
    ///
    /// - Parameter store: gets memory for `added` elements and stores each.
    @inline(__always)
    func append(count added: Int, store: (UnsafeMutablePointer<Element>) -> Void) {
        reserve(added)
        store(state.pointee.base + state.pointee.count)
        state.pointee.count += added
    }

    func append(repeating element: Element, count added: Int) {
        reserve(added)
        (state.pointee.base + state.pointee.count).update(repeating: element, count: added)
        state.pointee.count += added
    }

    func fill(with element: Element) { state.pointee.base.update(repeating: element, count: state.pointee.count) }

    /// Forgets all elements from `newCount` on.
    func truncate(to newCount: Int) {
        assert(newCount >= 0 && newCount <= count)
        state.pointee.count = newCount
    }

    /// Makes room for more elements, so that as many appends move nothing.
    @inline(__always)
    func reserve(_ added: Int) {
        if state.pointee.capacity - state.pointee.count < added { grow(to: state.pointee.count + added) }
    }

    /// The elements, valid until the next change.
    @inline(__always)
    var elements: UnsafeBufferPointer<Element> {
        UnsafeBufferPointer(start: state.pointee.base, count: state.pointee.count)
    }

    /// The elements from a position on, valid until the next change.
    @inline(__always)
    func elements(from start: Int) -> UnsafeBufferPointer<Element> {
        assert(start >= 0 && start <= count)
        return UnsafeBufferPointer(start: state.pointee.base + start, count: state.pointee.count - start)
    }

    /// Some of the elements, valid until the next change.
    @inline(__always)
    func elements(_ start: Int, _ count: Int) -> UnsafeBufferPointer<Element> {
        assert(start >= 0 && count >= 0 && start + count <= self.count)
        return UnsafeBufferPointer(start: state.pointee.base + start, count: count)
    }

    @inline(never)
    private func grow(to needed: Int) {
        // Small ones fourfold: they are moved once instead of twice, and room for them is no question.
        let isSmall = state.pointee.capacity * MemoryLayout<Element>.stride < Self.small
        let capacity = max(needed, (isSmall ? 4 : 2) * state.pointee.capacity)
        let grown = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        grown.update(from: state.pointee.base, count: state.pointee.count)
        if !state.pointee.isFirst { state.pointee.base.deallocate() }
        state.pointee.isFirst = false
        state.pointee.base = grown
        state.pointee.capacity = capacity
    }

    /// In bytes: a quarter of the least size that malloc asks the system for each time.
    private static var small: Int { 32 * 1024 }
}
