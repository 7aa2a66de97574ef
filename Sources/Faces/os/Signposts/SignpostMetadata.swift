/// The text of a signpost with interpolated values.
public typealias SignpostMetadata = OSLogMessage
