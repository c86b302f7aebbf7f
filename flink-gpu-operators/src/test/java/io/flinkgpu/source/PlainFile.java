package io.flinkgpu.source;

import io.flinkgpu.api.FilePolicy;
import io.flinkgpu.api.LongLine;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** What is to be read of a file, said as plainly as can be. */
public final class PlainFile {

    private PlainFile() {}

    /**
     * What is read of a file that had its first bytes when it was listed.
     *
     * @param now what it has when it is read
     */
    public static byte[] linesOf(byte[] now, int listedBytes) {
        int end = listedBytes;
        if (listedBytes > 0 && now[listedBytes - 1] != '\n') {
            while (end < now.length && now[end - 1] != '\n') {
                end++;
            }
            if (now[end - 1] != '\n' && end > listedBytes) {
                end = listedBytes;
                while (end > 0 && now[end - 1] != '\n') {
                    end--;
                }
            }
        }
        return Arrays.copyOf(now, end);
    }

    /** What becomes of lines by a policy that fails none. */
    public static byte[] limited(byte[] lines, FilePolicy policy) {
        List<Integer> bounds = RandomLines.bounds(lines);
        ByteArrayOutputStream result = new ByteArrayOutputStream();
        for (int i = 0; i + 1 < bounds.size(); i++) {
            byte[] line = Arrays.copyOfRange(lines, bounds.get(i), bounds.get(i + 1));
            boolean hasEnd = line[line.length - 1] == '\n';
            if (line.length - (hasEnd ? 1 : 0) <= policy.maxLineBytes()) {
                result.writeBytes(line);
            } else if (policy.longLine() == LongLine.LABEL) {
                result.writeBytes("[LINE TOO LONG]".getBytes(StandardCharsets.US_ASCII));
                result.writeBytes(hasEnd ? new byte[] {'\n'} : new byte[0]);
            }
        }
        return result.toByteArray();
    }
}
