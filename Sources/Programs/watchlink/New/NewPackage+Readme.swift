extension NewPackage {
    /// The front page: a walk of five minutes, whose commands and outputs are compared in WatchLink's gate.
    var readme: String { title + walk + trials + ownData + operation }

    private var title: String {
        """
        # \(name.type)

        Two background services that take \(name.plural) from a watch to a phone's database. A payload that the watch has accepted is on its disk, and is
        sent until the phone has stored it: whichever service is killed, and whenever, none is lost and none is stored twice.

        | | |
        |---|---|
        | `Sources/\(name.module)/\(name.type).swift` | the payload: its fields, columns and rules |
        | `Sources/\(name.host)`, `Sources/\(name.companion)` | the services, one line each |
        | `Config` | their settings, and units for systemd |
        | `Tests` | the payload's rules, and a test that kills both services |


        """
    }

    private var walk: String {
        """
        ## From nothing to a payload that survives kill -9

        Build everything, and run the tests:

        ```sh
        swift build
        swift test
        ```

        Start both services in the background, with their data in this folder:

        ```sh
        bin=$(swift build --show-bin-path)
        export WATCHLINK_STATE_DIRECTORY="$PWD/.state"
        "$bin/\(name.host)" --config Config/host.json5 2>host.log & host=$!
        "$bin/\(name.companion)" --config Config/companion.json5 2>companion.log & companion=$!
        ```

        Send the first document, and wait until the phone has stored it:

        ```sh
        "$bin/watchlink" submit --application \(name.plural) example.json --patience 30s --wait
        ```

        ```
        replied
        ```

        Kill the phone. The watch accepts the second document all the same:

        ```sh
        kill -9 $host
        sed 's/first/second/' example.json | "$bin/watchlink" submit --application \(name.plural) -
        ```

        ```
        accepted
        ```

        Kill the watch, too, and start both again. The document is not sent a second time, although it is submitted again:

        ```sh
        kill -9 $companion
        "$bin/\(name.host)" --config Config/host.json5 2>>host.log & host=$!
        "$bin/\(name.companion)" --config Config/companion.json5 2>>companion.log & companion=$!
        sed 's/first/second/' example.json | "$bin/watchlink" submit --application \(name.plural) - --patience 30s --wait
        ```

        ```
        replied
        ```

        ```sh
        "$bin/watchlink" records \(name.plural) list
        ```

        ```
        the first
        the second
        ```

        ```sh
        "$bin/watchlink" records \(name.plural) count
        ```

        ```
        2
        ```

        A signal stops them; each finishes its work first:

        ```sh
        kill $host $companion
        wait $host $companion
        ```


        """
    }

    private var trials: String {
        """
        ## Try it harder

        Kill both services and fail their disks at random, round after round, and check their databases after each. The next command does the same in virtual
        time, where a seed decides everything, and half an hour takes less than a second:

        ```sh
        services="--host $bin/\(name.host) --companion $bin/\(name.companion) --application \(name.plural) --document example.json"
        "$bin/watchlink-torture" --rounds 5 $services
        ```

        ```
        5 rounds in
        nothing lost or duplicated
        ```

        ```sh
        "$bin/watchlink" explore services --seeds 1...3 --hours 0.5 $services
        ```

        ```
        0 of them with a finding
        ```


        """
    }

    private var ownData: String {
        """
        ## Your own data

        Replace the fields in `\(name.type).swift`, in `example.json` and in the tests, and the columns: one for each value that lists shall show. `validate()`
        decides what is rejected for ever; `warning(at:)` only says what looks wrong. Columns may change later: the host makes them anew from what it stored.

        Any program of the watch submits by `watchlink submit` or by the JSON-RPC method `submit` on the companion's control socket.


        """
    }

    private var operation: String {
        """
        ## Operating it

        | to | run |
        |---|---|
        | see both services | `watchlink status` |
        | find problems in the set-up | `watchlink doctor` |
        | show, export, back up and verify what is stored | `watchlink help records` |
        | see what the watch still keeps | `watchlink outbox list --application \(name.plural)` |
        | see what happened | `watchlink timeline > timeline.html` |
        | read the manual pages | `\(name.host) --man \\| man -l -`, `\(name.companion) --man \\| man -l -` |

        `Config/systemd/system` has the units. They expect the programs in `/usr/bin`, the configurations in `/etc/\(name.singular)`, and the account `watchlink`
        of `Config/sysusers.d`, whose group operates all applications of a machine. Install the manual pages to which they refer by
        `\(name.host) --man > /usr/share/man/man8/\(name.host).8`, and the same for `\(name.companion)`. Name the state directory to the command line:
        `watchlink --state-directory /var/lib/\(name.singular) status`.

        """
    }
}
