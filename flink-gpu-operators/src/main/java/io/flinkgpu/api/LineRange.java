package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.api.common.typeinfo.TypeInfo;

/**
 * The lines of a file whose first bytes are in a range, to be read where they are needed: what crosses
 * operators is this, not the bytes. Immutable. Only for files that the tasks' machines can read at any
 * offset; a compressed file is read as chunks.
 *
 * @param file a path of a file system that Flink knows; one without a scheme is local
 * @param offsetBytes where the range starts
 * @param lengthBytes bytes of the range; a line that starts in it is read to its end
 * @param fileBytes length of the file when it was listed; of what was appended later only the end of
 *     its last line is read
 * @param policy what becomes of what is not as it should be in the file
 */
@TypeInfo(LineRangeTypeInfo.Factory.class)
@PublicEvolving
public record LineRange(
        String file, long offsetBytes, long lengthBytes, long fileBytes, FilePolicy policy)
        implements Lines {

    public LineRange {
        Errors.present("file", file);
        Errors.present("policy", policy);
        if (offsetBytes < 0 || lengthBytes < 1 || lengthBytes > fileBytes - offsetBytes) {
            throw Errors.argument(
                    "a range is in its file: file=%s, offsetBytes=%s, lengthBytes=%s, fileBytes=%s",
                    file, offsetBytes, lengthBytes, fileBytes);
        }
    }

    /** A range whose lines are as they are. */
    public LineRange(String file, long offsetBytes, long lengthBytes, long fileBytes) {
        this(file, offsetBytes, lengthBytes, fileBytes, FilePolicy.DEFAULT);
    }

    /** A range whose lines are as they are, but for a last one that lacks its {@code '\n'}. */
    public LineRange(
            String file,
            long offsetBytes,
            long lengthBytes,
            long fileBytes,
            boolean terminatesLastLine) {
        this(
                file,
                offsetBytes,
                lengthBytes,
                fileBytes,
                FilePolicy.DEFAULT.withLastLinesTerminated(terminatesLastLine));
    }

    /** Whether the file's last line gets the {@code '\n'} that it may lack. */
    public boolean terminatesLastLine() {
        return policy.terminatesLastLine();
    }
}
