package io.flinkgpu.backend.cpu.row;

/** A row whose answer its {@code String}s cannot give; that of its columns can. Has no stack trace. */
final class NeedsColumnsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NeedsColumnsException(String why) {
        super(why, null, false, false);
    }
}
