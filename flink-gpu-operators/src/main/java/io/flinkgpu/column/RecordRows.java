package io.flinkgpu.column;

import org.apache.flink.annotation.Internal;

/** The rows of one record after a batch. Valid while the record is read. */
@Internal
public interface RecordRows {

    /** The bytes of all rows, each followed by its separator; the caller's. */
    byte[] bytes();

    /** The text of a row, which has no separator. */
    String text(int row);
}
