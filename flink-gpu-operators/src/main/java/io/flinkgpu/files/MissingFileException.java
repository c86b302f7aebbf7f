package io.flinkgpu.files;

import org.apache.flink.annotation.Internal;

import java.io.IOException;

/** A file is gone, or not what it was when it was listed. */
@Internal
public final class MissingFileException extends IOException {

    private static final long serialVersionUID = 1L;

    private static final String REMEDY =
            "; leave input files as they are until the job ends, or use"
                    + " LineFiles.onMissingFile(MissingFile.SKIP), in SQL 'missing-file' = 'skip'";

    private final String file;

    private MissingFileException(String file, String message, Throwable cause) {
        super(message + REMEDY, cause);
        this.file = file;
    }

    public static MissingFileException gone(String file, Throwable cause) {
        return new MissingFileException(
                file, "an input file is gone since it was listed: file=" + file, cause);
    }

    /**
     * @param fileBytes how many it had
     */
    public static MissingFileException shorter(String file, long fileBytes) {
        return new MissingFileException(
                file,
                "an input file is shorter than when it was listed: file="
                        + file
                        + ", fileBytes="
                        + fileBytes,
                null);
    }

    /** A line does not end where it did a moment before. */
    public static MissingFileException changed(String file, long fileBytes) {
        return new MissingFileException(
                file,
                "an input file was written to while it was read: file="
                        + file
                        + ", fileBytes="
                        + fileBytes,
                null);
    }

    String file() {
        return file;
    }
}
