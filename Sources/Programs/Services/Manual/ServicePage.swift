import EventLog
package import LinkProtocol
import Processes
package import QuizSync
import ServiceRuntime

/// The manual page of a service's program, generated from the lists that the program uses, so that both always agree.
package struct ServicePage {
    private let program: String
    private let role: DeviceRole
    private let applications: [RecordApplication]

    /// - Parameter applications: The applications of the program; those of WatchLink's own programs have pages of their
    ///   own for their commands and events.
    package init(program: String, role: DeviceRole, applications: [RecordApplication]) {
        (self.program, self.role, self.applications) = (program, role, applications)
    }

    /// The section of programs for administrators.
    private static let section = 8
    /// The pages that describe what all services have in common.
    private static let related = ["watchlink(1)", "watchlink.json5(5)", "watchlink-events(7)"]

    /// Returns the whole page, for a program of one's own.
    func text() -> String {
        var roff = Roff(
            title: program, section: Self.section, summary: ServiceProgram.purpose(role, of: applications),
            source: "\(program) --man")
        write(&roff)
        records(&roff)
        events(&roff)
        roff.seeAlso(Self.related)
        return roff.text
    }

    private var plurals: String { ServiceProgram.list(applications.map(\.kind.plural)) }

    /// Writes the parts between the name and the related pages.
    package func write(_ roff: inout Roff) {
        roff.heading("SYNOPSIS")
        roff.example(["\(program) [OPTIONS]"])
        roff.heading("DESCRIPTION")
        roff.paragraph(
            role == .host
                ? "The host listens on a Unix socket, receives the \(plurals) that companions send, and replies to each once it is durably stored in its database. It runs until a signal stops it."
                : "The companion accepts \(plurals) from watchlink(1), stores them durably and sends them to the host until it has replied. It runs until a signal stops it."
        )
        roff.paragraph(
            "Under systemd, it reports when it is ready, reloads or stops, keeps a status line, notifies the watchdog from its event loops, and uses the sockets it inherits."
        )
        roff.heading("OPTIONS")
        for option in ServiceProgram.options { roff.option(option) }
        roff.heading("SIGNALS")
        for (name, meaning) in ServiceProgram.signals { roff.item(name, meaning) }
        roff.exitCodes([.success, .failure, .usage, .notConfigured])
        roff.environment()
        files(&roff)
        roff.heading("EXAMPLES")
        for (command, meaning) in ServiceProgram.examples(role, program: program) { roff.item(command, meaning) }
    }

    private func files(_ roff: inout Roff) {
        roff.heading("FILES")
        roff.paragraph(
            "All files are in the state directory, which is private to its owner: a service refuses to start if others can read the directory or files in it."
        )
        roff.item("\(role.rawValue).log", "the log; full files are rotated to .1, .2 and so on")
        for application in applications {
            let plural = application.kind.plural
            let file = ServiceSettings.databaseName(of: application, role)
            switch role {
            case .host:
                roff.item(file, "the \(plural)" + (application.hasFiles ? " and their files" : ""))
            case .companion:
                roff.item(file, "\(plural) to deliver")
                if application.hasFiles {
                    roff.item(OutboxStore.files(of: file), "the files of \(plural) to deliver")
                }
            }
        }
        roff.item("\(role.rawValue)/session.sqlite", "transfers, contexts and the ledger")
        roff.item("\(role.rawValue).options", "the options of the last start, for the advice of “watchlink doctor”")
        roff.item("\(role.rawValue).control.sock", "the socket for watchlink(1)")
        roff.item("link.sock", "the host's socket for companions")
    }

    private func records(_ roff: inout Roff) {
        for application in applications {
            let plural = application.kind.plural
            roff.heading("THE \(plural.uppercased())")
            roff.paragraph(
                role == .host
                    ? "“watchlink \(application.command) list” shows them with these fields; “watchlink help records” explains the other commands."
                    : "“watchlink submit --application \(plural) FILE” submits documents, and “watchlink outbox list --application \(plural)” lists what is not delivered. The phone shows them with these fields."
            )
            roff.item(
                "identifier", "a UUID, the same in every retry: each is stored once for each device and identifier")
            for field in ApplicationDescription(application).fields {
                roff.item(field.name, Self.meaning(field.type))
            }
            guard application.hasFiles else { continue }
            let one = application.kind.withArticle
            roff.paragraph(
                "\(one.prefix(1).uppercased() + one.dropFirst()) may have a file of up to \(RecordFileLimits.fileBytes / (1_024 * 1_024)) MiB: “watchlink submit --file” sends it, and “watchlink records \(plural) file” writes it."
            )
        }
    }

    private static func meaning(_ type: RecordColumn.ValueType) -> String {
        switch type {
        case .text: "a text"
        case .integer: "a whole number"
        case .real: "a number"
        case .date: "a time, as 2026-11-20T18:30:00.250Z"
        }
    }

    private func events(_ roff: inout Roff) {
        roff.heading("EVENTS")
        roff.paragraph(
            "The events of the log that belong to its own payloads, beside those of every service in watchlink-events(7)."
        )
        for application in applications {
            for event in application.events.ofDeliveries + application.events.ofOperation {
                roff.item("\(event.text) (\(event.level))", event.meaning)
            }
        }
    }
}
