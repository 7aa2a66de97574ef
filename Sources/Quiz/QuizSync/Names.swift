public import RecordSync

// The names of the first application for what every application has.

/// The host's acknowledgement of a quiz.
public typealias QuizAcknowledgement = RecordAcknowledgement
/// The host's verdict on a quiz.
public typealias QuizVerdict = RecordVerdict
/// A host's receiver of quizzes.
public typealias QuizReceiver = RecordReceiver
/// A host's quizzes, whose changes are reported.
public typealias ObservedQuizStore = ObservedRecordStore
/// The changes of a host's quizzes in one commit.
public typealias QuizStoreChange = RecordStoreChange
