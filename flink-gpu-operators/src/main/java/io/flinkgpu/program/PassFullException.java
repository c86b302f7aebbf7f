package io.flinkgpu.program;

/** A pass would exceed one of its limits; the message names it. */
final class PassFullException extends Exception {

    private static final long serialVersionUID = 1L;

    PassFullException(String limit, int max) {
        super("one pass has at most " + limit + "=" + max);
    }
}
