/// A part of the phone's course. A new process goes on with the act after the one in which its predecessor ended.
struct Act {
    let name: String
    let play: () -> Void
}
