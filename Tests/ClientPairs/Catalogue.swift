/// All pairs, by their names.
enum Catalogue {
    /// Each has one flaw, which its first lines tell.
    private static let flawed: [String: any ClientPair.Type] = [
        "coalesced-commands": CoalescedCommands.self,
        "dead-lock": DeadLock.self,
        "dropped-reply": DroppedReply.self,
        "early-context": EarlyContext.self,
        "echo": Echo.self,
        "endless-retry": EndlessRetry.self,
        "file-after-return": FileAfterReturn.self,
        "given-twice": GivenTwice.self,
        "half-written": HalfWritten.self,
        "info-before-file": InfoBeforeFile.self,
        "late-first-package": LateFirstPackage.self,
        "late-reply": LateReply.self,
        "lost-update": LostUpdate.self,
        "midnight": Midnight.self,
        "never-resumed": NeverResumed.self,
        "numbers-from-one": NumbersFromOne.self,
        "order-across-kinds": OrderAcrossKinds.self,
        "reply-before-store": ReplyBeforeStore.self,
        "resumed-twice": ResumedTwice.self,
        "retry-duplicates": RetryDuplicates.self,
        "retry-storm": RetryStorm.self,
        "same-context": SameContext.self,
        "sent-again-at-launch": SentAgainAtLaunch.self,
        "source-removed": SourceRemoved.self,
        "stale-over-new": StaleOverNew.self,
        "twin-records": TwinRecords.self,
        "unheard-failure": UnheardFailure.self,
        "unordered-saves": UnorderedSaves.self,
        "waiting-for-ever": WaitingForEver.self,
        "wrong-actor": WrongActor.self,
    ]

    /// These are right whatever happens to their devices and to what they send.
    private static let correct: [String: any ClientPair.Type] = [
        "alarm": Alarm.self,
        "commands": Commands.self,
        "directions": Directions.self,
        "memos": Memos.self,
        "notes": Notes.self,
        "orders": Orders.self,
        "settings": Settings.self,
        "steps": Steps.self,
        "water": Water.self,
        "workout": Workout.self,
    ]

    static func pair(_ name: String) -> (any ClientPair.Type)? { flawed[name] ?? correct[name] }

    /// - Parameter kind: “flawed” or “correct”; otherwise there are none.
    static func names(of kind: String) -> [String] {
        switch kind {
        case "flawed": flawed.keys.sorted()
        case "correct": correct.keys.sorted()
        default: []
        }
    }
}
