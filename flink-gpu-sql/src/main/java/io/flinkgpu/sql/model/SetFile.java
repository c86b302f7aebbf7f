package io.flinkgpu.sql.model;

import io.flinkgpu.api.Errors;
import io.flinkgpu.api.search.SetChange;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads a file of sets: a line is the elements of a document with {@code ','} between, or nothing, perhaps after
 * its id and a tab; without one the id is the number of the line, from 0. Lines end with {@code '\n'} or
 * {@code "\r\n"}.
 */
final class SetFile {

    private static final int BUFFER_BYTES = 1 << 16;

    private SetFile() {}

    /** Gets documents. */
    interface Receiver {

        void add(SetChange document) throws Exception;
    }

    /**
     * Reads a file.
     *
     * @throws IOException if it cannot be read, or a line is no document, with nothing of the line
     */
    static void read(Path file, Receiver receiver) throws Exception {
        if (!Files.isRegularFile(file)) {
            throw Errors.io(
                    "there is no such file: path=%s; put it there on each TaskManager", file);
        }
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES)) {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            long number = 0;
            for (int next = in.read(); next >= 0; next = in.read()) {
                if (next == '\n') {
                    receiver.add(document(file, number++, line));
                    line.reset();
                } else {
                    line.write(next);
                }
            }
            if (line.size() > 0) {
                receiver.add(document(file, number, line));
            }
        }
    }

    private static SetChange document(Path file, long number, ByteArrayOutputStream bytes)
            throws IOException {
        String line = bytes.toString(StandardCharsets.ISO_8859_1);
        if (line.endsWith("\r")) {
            line = line.substring(0, line.length() - 1);
        }
        int tab = line.indexOf('\t');
        try {
            long id = tab < 0 ? number : Long.parseLong(line.substring(0, tab));
            String set = line.substring(tab + 1);
            String[] texts = set.isEmpty() ? new String[0] : set.split(",", -1);
            long[] elements = new long[texts.length];
            for (int i = 0; i < elements.length; i++) {
                elements[i] = Long.parseLong(texts[i]);
            }
            return SetChange.upsertUnsigned(id, elements);
        } catch (IllegalArgumentException e) {
            throw Errors.io(
                    "a line is no set: path=%s, line=%s; write up to 1024 numbers from 0 to"
                            + " 4294967295 with ',' between, perhaps an id and a tab before",
                    file, number + 1);
        }
    }
}
