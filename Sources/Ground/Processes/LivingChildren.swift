import Glibc

/// The child processes that are alive: the only ones that may be signalled. The kernel gives the number of one that has
/// ended to the next process or thread, even of this process, and a signal to a thread's number is one to its process.
struct LivingChildren: Sendable {
    private var numbers: [Int: Int32] = [:]
    /// Those whose end was told before their beginning: a short program may have ended while its starter still waits.
    private var early: Set<Int> = []
    private var last = 0

    /// Returns a name for a child that is about to begin.
    mutating func newName() -> Int {
        last += 1
        return last
    }

    /// Notes that a child began.
    mutating func began(_ child: Int, as number: Int32) {
        if early.remove(child) == nil { numbers[child] = number }
    }

    /// Notes that a child has ended.
    mutating func ended(_ child: Int) {
        if numbers.removeValue(forKey: child) == nil { early.insert(child) }
    }

    /// Returns the process identifier of a child; nil if it is not alive.
    func number(of child: Int) -> Int32? { numbers[child] }

    /// The process identifiers of all.
    var all: [Int32] { numbers.values.sorted() }
}
