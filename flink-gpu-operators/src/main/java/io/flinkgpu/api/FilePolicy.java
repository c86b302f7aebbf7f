package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;

/**
 * What becomes of what is not as it should be in a file of lines. Immutable; travels in the job graph.
 *
 * @param terminatesLastLine whether a file's last line gets the {@code '\n'} that it may lack
 * @param missingFile what becomes of a file that is gone, or not what it was when it was listed
 * @param maxLineBytes the most bytes of a line, without its {@code '\n'}; at most {@link
 *     #MOST_LINE_BYTES}
 * @param longLine what becomes of a longer line
 */
@PublicEvolving
public record FilePolicy(
        boolean terminatesLastLine, MissingFile missingFile, int maxLineBytes, LongLine longLine)
        implements Serializable {

    private static final long serialVersionUID = 1L;

    /** What stands in place of a line that is too long. */
    public static final String LABEL = "[LINE TOO LONG]";

    /** 256 MiB. */
    public static final int DEFAULT_MAX_LINE_BYTES = 256 << 20;

    /** What an array has room for, with a line end. */
    public static final int MOST_LINE_BYTES = Integer.MAX_VALUE - 16;

    /** Files are as they were listed, or the job fails; lines have at most 256 MiB. */
    public static final FilePolicy DEFAULT =
            new FilePolicy(false, MissingFile.FAIL, DEFAULT_MAX_LINE_BYTES, LongLine.FAIL);

    public FilePolicy {
        Errors.present("missingFile", missingFile);
        Errors.present("longLine", longLine);
        if (maxLineBytes < 1 || maxLineBytes > MOST_LINE_BYTES) {
            throw Errors.argument(
                    "a line has 1 byte to %s bytes at most: maxLineBytes=%s",
                    MOST_LINE_BYTES, maxLineBytes);
        }
    }

    /** This policy, by which a last line without an end gets one, or not. */
    public FilePolicy withLastLinesTerminated(boolean terminates) {
        return new FilePolicy(terminates, missingFile, maxLineBytes, longLine);
    }

    /** This policy with another answer to files that are gone or shorter. */
    public FilePolicy withMissingFile(MissingFile missing) {
        return new FilePolicy(terminatesLastLine, missing, maxLineBytes, longLine);
    }

    /** This policy with another limit of a line, at least 1 byte, and another answer to longer ones. */
    public FilePolicy withMaxLineBytes(int bytes, LongLine longer) {
        return new FilePolicy(terminatesLastLine, missingFile, bytes, longer);
    }
}
