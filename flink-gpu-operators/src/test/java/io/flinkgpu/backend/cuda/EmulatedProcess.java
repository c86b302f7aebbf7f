package io.flinkgpu.backend.cuda;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A process that runs the kernels' source of a verb. One thread's. */
public final class EmulatedProcess implements AutoCloseable {

    private static final String FAILED = "the emulation failed, see its message";

    private final Process process;
    private final OutputStream requests;
    private final DataInputStream answers;

    public EmulatedProcess(String verb) throws IOException {
        process =
                new ProcessBuilder(EmulatedKernels.program(verb).toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        requests = new BufferedOutputStream(process.getOutputStream());
        answers = new DataInputStream(process.getInputStream());
    }

    public void send(long... words) {
        ByteBuffer bytes =
                ByteBuffer.allocate(Long.BYTES * words.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(words);
        send(bytes.array());
    }

    public void send(byte[] bytes) {
        try {
            requests.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(FAILED, e);
        }
    }

    /** Fills an array with what the process answers to all that was sent. */
    public void receive(byte[] answer) {
        try {
            requests.flush();
            answers.readFully(answer);
        } catch (IOException e) {
            throw new UncheckedIOException(FAILED, e);
        }
    }

    @Override
    public void close() {
        try {
            requests.close();
            if (process.waitFor() != 0) {
                throw new IllegalStateException(FAILED);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
