package io.flinkgpu.applications;

import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes lines to one file, which is there already, in place of what it holds. For one subtask of a job that
 * is never restarted.
 *
 * @param file absolute
 */
record TextFileSink(String file) implements Sink<byte[]> {

    private static final long serialVersionUID = 1L;

    @Override
    public SinkWriter<byte[]> createWriter(WriterInitContext context) throws IOException {
        return new Writer(
                new BufferedOutputStream(
                        Files.newOutputStream(
                                Path.of(file),
                                StandardOpenOption.WRITE,
                                StandardOpenOption.TRUNCATE_EXISTING)));
    }

    private record Writer(OutputStream target) implements SinkWriter<byte[]> {

        @Override
        public void write(byte[] line, Context context) throws IOException {
            target.write(line);
        }

        @Override
        public void flush(boolean endOfInput) throws IOException {
            target.flush();
        }

        @Override
        public void close() throws IOException {
            target.close();
        }
    }
}
