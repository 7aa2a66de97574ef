import CVirtualTime
import Testing

@testable import VirtualTime

@Suite("Short courses in words")
struct ShortCourseTests {
    private static func departure(
        _ kind: DecisionKind, _ taken: UInt32, of options: UInt32, at seconds: Double, _ subject: String,
        thread: Int32? = 2, chosen: Int32? = nil, ordinal: UInt32 = 0
    ) throws -> Departure {
        let decision = try Decision(kind, options: options, taken: taken, at: Place(site: 1, ordinal: ordinal))
        let time = Int64(seconds * 1_000_000_000)
        return Departure(
            at: 0, decision, Circumstance(time: time, subject: subject, thread: thread, chosen: chosen))
    }

    private static func process(
        _ life: Life, _ span: Range<Duration>, _ fate: ProcessOutcome.Fate = .running, _ departures: [Departure] = []
    ) -> ProcessOutcome {
        let world = Outcome(
            course: Course(seed: 1), ending: .horizon, decisions: departures.map(\.decision), departures: departures,
            faults: [], trace: "", droppedLines: 0, virtualTime: span.upperBound, counts: Counts(virtual_time_counts()))
        return ProcessOutcome(life: life, span: span, fate: fate, world: world, output: [], errors: [], complaints: [])
    }

    private static func lines(
        _ processes: [ProcessOutcome], _ departures: [Departure] = [], deeds: [Script.Line] = []
    ) -> [String] {
        let performance = Performance(
            course: JointCourse(seed: 1), decisions: departures.map(\.decision), departures: departures, deeds: deeds,
            processes: processes, virtualTime: .seconds(3_600), rounds: 0)
        return ShortCourse(performance).lines
    }

    @Test("A kill is described with its absence, and replaces the decisions about it")
    func kills() throws {
        let asked = try [
            Self.departure(.fault, 7, of: 4_097, at: 0, KillPlan.kill(of: "phone"), thread: nil),
            Self.departure(.fault, 7, of: 64, at: 723.5, KillPlan.step(of: "phone"), thread: nil),
            Self.departure(.latency, 7, of: 999, at: 723.5, KillPlan.absence(of: "phone"), thread: nil),
        ]
        let lines = Self.lines(
            [
                Self.process(Life("phone", 1), .zero..<Duration.milliseconds(723_500), .killed),
                Self.process(Life("phone", 2), .milliseconds(727_750)..<Duration.seconds(3_599), .killed),
            ], asked)
        #expect(
            lines == [
                "00:12:03.500 phone is killed, and away for 4.25 s",
                "00:59:59.000 phone (start 2) is killed, and does not start again",
            ])
    }

    @Test("A deed is described at its instant, and a kill only once")
    func deeds() {
        let lines = Self.lines(
            [Self.process(Life("phone", 1), .zero..<Duration.seconds(9), .killed)],
            deeds: [
                .init(at: .seconds(9), .kill("phone")), .init(at: .seconds(10), .disk("watch", isFull: true)),
                .init(at: .seconds(12), .disk("watch", isFull: false)),
                .init(at: .seconds(13), .clock("watch", by: .seconds(3_600))),
                .init(at: .seconds(14), .clock("watch", by: .seconds(-1))),
            ])
        #expect(
            lines == [
                "00:00:09.000 phone is killed, and does not start again", "00:00:10.000 the disk of watch is full",
                "00:00:12.000 the disk of watch has room again",
                "00:00:13.000 the clock of watch is shifted by +3600.0 s",
                "00:00:14.000 the clock of watch is shifted by -1.0 s",
            ])
    }

    @Test("A long course is cut to its first lines and a count of the rest")
    func glance() {
        let lines = (1...1_000).map { "line \($0)" }
        #expect(ShortCourse.glance(Array(lines.prefix(15))) == Array(lines.prefix(15)))
        #expect(ShortCourse.glance(lines) == lines.prefix(15) + ["and 985 more"])
    }

    @Test("The lines are ordered by time, regardless of the process that decided")
    func order() throws {
        let phone = try Self.process(
            Life("phone", 1), .zero..<Duration.seconds(3_600), .running,
            [
                Self.departure(.interruption, 1, of: 2, at: 1.0000005, "pthread_mutex_lock", chosen: 5),
                Self.departure(.fault, 1, of: 2, at: 3_605.25, "outgoing reply # is dropped", ordinal: 2),
            ])
        let watch = try Self.process(
            Life("watch", 2), .zero..<Duration.seconds(3_600), .running,
            [Self.departure(.latency, 999, of: 1_000, at: 7, "piece # is late", ordinal: 0)])
        let turn = try Self.departure(
            .thread, 1, of: 2, at: 86_400, "watch runs before phone", thread: nil)
        #expect(
            Self.lines([phone, watch], [turn]) == [
                "00:00:01.000 phone: thread 2 is interrupted in pthread_mutex_lock, and thread 5 runs",
                "00:00:07.000 watch (start 2): piece 1 is late: 999 of 999",
                "01:00:05.250 phone: outgoing reply 3 is dropped",
                "24:00:00.000 watch runs before phone",
            ])
    }

    @Test("An event and its length are one line, with the length that was decided")
    func lengths() throws {
        let loss = "the link is lost with outgoing reply #"
        let departures = try [
            Self.departure(.fault, 1, of: 2, at: 3, loss, ordinal: 4),
            Self.departure(.latency, 500, of: 1_000, at: 3, "\(loss), for up to 60.1 s", ordinal: 0),
            // Alone, and after another event or moment.
            Self.departure(.latency, 250, of: 1_000, at: 4, "\(loss), for up to 8.0 s", ordinal: 1),
            Self.departure(.fault, 1, of: 2, at: 5, "outgoing reply # is delayed", ordinal: 0),
            Self.departure(.latency, 1, of: 1_000, at: 5, "\(loss), for up to 60.1 s", ordinal: 2),
            Self.departure(.fault, 1, of: 2, at: 6, loss, ordinal: 5),
            Self.departure(.latency, 999, of: 1_000, at: 7, "\(loss), for up to 60.1 s", ordinal: 3),
            Self.departure(.latency, 745, of: 1_000, at: 8, "piece # is late, by up to 0.5 s", ordinal: 1),
        ]
        let process = Self.process(Life("phone", 1), .zero..<Duration.seconds(9), .running, departures)
        #expect(
            Self.lines([process]) == [
                "00:00:03.000 phone: the link is lost with outgoing reply 5, for 30.05 s",
                "00:00:04.000 phone: the link is lost with outgoing reply 2, for 2.0 s",
                "00:00:05.000 phone: outgoing reply 1 is delayed",
                "00:00:05.000 phone: the link is lost with outgoing reply 3, for 0.06 s",
                "00:00:06.000 phone: the link is lost with outgoing reply 6",
                "00:00:07.000 phone: the link is lost with outgoing reply 4, for 60.04 s",
                "00:00:08.000 phone: piece 2 is late, by 0.373 s",
            ])
    }

    @Test(
        "Each kind of decision has a description",
        arguments: [
            (.thread, 1, 3, "thread 5 runs next, though another has waited longer; thread 2 is in read"),
            (.thread, 2, 3, "thread 5 runs next, though 2 others have waited longer; thread 2 is in read"),
            (.wake, 1, 3, "thread 5 is woken by thread 2, though another has waited longer"),
            (.stall, 7, 31, "thread 5 is late by 7 ms"),
            (.application, 3, 4, "read 1: 3 of 3"),
            (.fault, 3, 4, "read 1: 3"),
        ] as [(DecisionKind, UInt32, UInt32, String)])
    func kinds(_ kind: DecisionKind, _ taken: UInt32, _ options: UInt32, _ words: String) throws {
        let departure = try Self.departure(kind, taken, of: options, at: 0, "read", chosen: 5)
        let process = Self.process(Life("a", 1), .zero..<Duration.seconds(1), .running, [departure])
        #expect(Self.lines([process]) == ["00:00:00.000 a: \(words)"])
    }

    @Test("Decisions without circumstances have a description, and dull ones have none")
    func unknown() throws {
        let decision = try Decision(.fault, options: 2, taken: 1)
        let process = Self.process(Life("a", 1), .zero..<Duration.seconds(1), .running, [Departure(at: 4, decision)])
        #expect(Self.lines([process]) == ["00:00:00.000 a: fault 1"])
        #expect(Self.lines([Self.process(Life("a", 1), .zero..<Duration.seconds(1))]).isEmpty)
    }
}
