package import Cassettes

/// Something that the counterpart of a replayed app does.
package struct Move: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// The counterpart's app activates its session.
        case activate
        case send(Channel, RedactedValue?, bytes: Int?, wantsReply: Bool)
        /// The counterpart answers the app's message at this position of the cassette.
        case answer(deed: Int, Channel, RedactedValue?)
        /// The link goes down or comes up.
        case link(isUp: Bool)
        /// The counterpart becomes reachable, or unreachable while it is connected.
        case show(Bool)
        /// A person does something on the app's own device, by the words of that command.
        case act(command: String, words: [String])
        /// The app's next delivery has this fault, once.
        case fault(words: [String])
    }

    /// The moment of a move, in microseconds.
    package enum Moment: Equatable, Sendable {
        /// So long after the app's activation.
        case at(Int64)
        /// So long after the app's deed at this position of the cassette has arrived.
        case after(deed: Int, delay: Int64)
        /// So long after a deed that has probably caused it; some seconds after its time if the app no longer does that.
        case likelyAfter(deed: Int, delay: Int64, time: Int64)
    }

    /// A condition under which a move leads to what it led to in the recording. Programs are not equally fast in each run.
    package enum Need: Equatable, Sendable {
        /// The app's device can be controlled.
        case control
        /// The phone knows a watch.
        case known(Int)
        /// A watch is connected with the phone.
        case connected(Int)
        /// The phone's session is with a watch.
        case worn(Int)
        /// The own session is reachable: the phone serves this watch.
        case served
        /// All moves before it are done.
        case order
        /// The app's deed at this position of the cassette has arrived, or its answer.
        case deed(Int)
    }

    /// The position of the event in the cassette that it brings about.
    package let sequence: Int
    package var moment: Moment
    package var kind: Kind
    package var needs: [Need] = []
    /// The time of that event in microseconds; nil for what is not done with others of its moment.
    package var time: Int64?
}
