/// A growable buffer of trivial elements.
///
/// Arrays do the same, but check on each append for other owners, and a class checks each access to its array; writing
/// an archive appends some hundred times for a small object, and those checks took half of the time. This is a handle:
/// store it as a `let`; it cannot be copied, so it has one owner. Debug builds check subscripts.
struct GrowingBuffer<Element: BitwiseCopyable>: ~Copyable {
    private struct State {
        var base: UnsafeMutablePointer<Element>
        var count: Int
        var capacity: Int
        /// True while the elements are in the initial allocation, after this state.
        var isFirst: Bool
    }

    private let state: UnsafeMutablePointer<State>

    init(capacity: Int) {
        // One allocation for the state and the first elements.
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
    /// - Parameter store: Stores `added` elements at the given address.
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

    /// Removes all elements from `newCount` on.
    func truncate(to newCount: Int) {
        assert(newCount >= 0 && newCount <= count)
        state.pointee.count = newCount
    }

    /// Reserves memory, so that as many appends move nothing.
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
        // Small buffers grow fourfold: they are moved once instead of twice, and need little memory.
        let isSmall = state.pointee.capacity * MemoryLayout<Element>.stride < Self.small
        let capacity = max(needed, (isSmall ? 4 : 2) * state.pointee.capacity)
        let grown = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        grown.update(from: state.pointee.base, count: state.pointee.count)
        if !state.pointee.isFirst { state.pointee.base.deallocate() }
        state.pointee.isFirst = false
        state.pointee.base = grown
        state.pointee.capacity = capacity
    }

    /// The limit for fourfold growth, in bytes: a quarter of the smallest size that malloc requests from the system
    /// each time.
    private static var small: Int { 32 * 1024 }
}
