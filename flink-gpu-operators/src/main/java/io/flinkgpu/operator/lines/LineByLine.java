package io.flinkgpu.operator.lines;

import io.flinkgpu.api.LineChunk;
import io.flinkgpu.api.LineRange;
import io.flinkgpu.api.Lines;
import io.flinkgpu.files.FileReports;

import java.io.IOException;

/** Reads the lines of chunks and ranges on the host, one after the other. Task thread only. */
final class LineByLine implements AutoCloseable {

    private final LineRangeReader ranges;
    private final HostLines host;
    private final LineMetrics metrics;

    /**
     * @param host keeps the fields of a line
     * @param reports has what is not as it should be in a file
     */
    LineByLine(HostLines host, LineMetrics metrics, FileReports reports) {
        this.ranges = new LineRangeReader(reports);
        this.host = host;
        this.metrics = metrics;
    }

    /**
     * Reads lines.
     *
     * @param line is run for each that has the fields of its format, as the host's last one
     */
    void read(Lines lines, Runnable line) throws IOException {
        if (lines instanceof LineChunk chunk) {
            read(chunk.bytes(), chunk.file(), chunk.offsetBytes(), line);
        } else {
            LineRange range = (LineRange) lines;
            ranges.find(range);
            read(ranges.readBytes(), range.file(), ranges.firstLineBytes(), line);
        }
    }

    private void read(byte[] bytes, String file, long offsetBytes, Runnable line) {
        metrics.bytes.add(bytes.length);
        int lines = 0;
        for (int start = 0; start < bytes.length; lines++) {
            int end = start;
            while (end < bytes.length && bytes[end] != '\n') {
                end++;
            }
            if (host.read(bytes, start, end, file, offsetBytes + start)) {
                line.run();
            }
            start = end + 1;
        }
        metrics.lines.add(lines);
    }

    @Override
    public void close() throws IOException {
        ranges.close();
    }
}
