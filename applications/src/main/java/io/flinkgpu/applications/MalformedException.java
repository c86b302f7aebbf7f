package io.flinkgpu.applications;

/** A line that is not of its file's format. Never has what the line holds. */
final class MalformedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private MalformedException(String message) {
        super(message);
    }

    /**
     * @param number of the line; the first is 0
     */
    static MalformedException of(String file, long number, String reason) {
        return new MalformedException(
                "a line is malformed: file="
                        + file
                        + ", line="
                        + (number + 1)
                        + " (the first is 1): "
                        + reason);
    }
}
