package io.flinkgpu.bench;

import io.flinkgpu.api.search.SetQuery;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * Sets in files for other programs: as text, or as the bytes that {@code
 * benchmarks/native/set_search_peer.cpp} reads.
 */
final class SetFiles {

    private static final int BLOCK = 16_384;
    private static final int MOST_DIGITS = 6;

    /** The least element of the champion's files; ours is 0. */
    private static final int FIRST_ELEMENT = 1;

    private SetFiles() {}

    /** Documents by length, as bytes. */
    static void writeDocuments(Path file, SetData data) throws IOException {
        int documents = Math.toIntExact(data.documents());
        ByteBuffer head = little(Integer.BYTES + Short.BYTES * documents).putInt(documents);
        for (int i = 0; i < documents; i++) {
            head.putShort((short) data.length(i));
        }
        try (FileChannel channel = create(file)) {
            write(channel, head.flip());
            blocks(data, (from, to, room) -> elements(data, from, to, room), channel);
        }
    }

    private static ByteBuffer elements(SetData data, int from, int to, SetData.Room room) {
        int[] elements = new int[SetElementDraws.ELEMENTS];
        int size = 0;
        for (int i = from; i < to; i++) {
            size += data.length(i);
        }
        ByteBuffer bytes = little(Short.BYTES * size);
        for (int i = from; i < to; i++) {
            int end = data.document(i, room, elements);
            for (int j = 0; j < end; j++) {
                bytes.putShort((short) (elements[j] + FIRST_ELEMENT));
            }
        }
        return bytes.flip();
    }

    /** Queries as bytes. */
    static void writeQueries(Path file, List<SetQuery> queries) throws IOException {
        int size = queries.stream().mapToInt(query -> query.elements().length).sum();
        ByteBuffer bytes =
                little(Integer.BYTES + Short.BYTES * (queries.size() + size))
                        .putInt(queries.size());
        queries.forEach(query -> bytes.putShort((short) query.elements().length));
        for (SetQuery query : queries) {
            for (int element : query.elements()) {
                bytes.putShort((short) (element + FIRST_ELEMENT));
            }
        }
        try (FileChannel channel = create(file)) {
            write(channel, bytes.flip());
        }
    }

    /** Documents by length, a line each, elements with commas. */
    static void writeTextDocuments(Path file, SetData data) throws IOException {
        try (FileChannel channel = create(file)) {
            blocks(data, (from, to, room) -> lines(data, from, to, room), channel);
        }
    }

    private static ByteBuffer lines(SetData data, int from, int to, SetData.Room room) {
        int[] elements = new int[SetElementDraws.ELEMENTS];
        int size = 0;
        for (int i = from; i < to; i++) {
            size += data.length(i) * MOST_DIGITS + 1;
        }
        ByteBuffer bytes = ByteBuffer.allocate(size);
        for (int i = from; i < to; i++) {
            int end = data.document(i, room, elements);
            for (int j = 0; j < end; j++) {
                if (j > 0) {
                    bytes.put((byte) ',');
                }
                putDigits(bytes, elements[j] + FIRST_ELEMENT);
            }
            bytes.put((byte) '\n');
        }
        return bytes.flip();
    }

    private static void putDigits(ByteBuffer bytes, int number) {
        int unit = 1;
        while (unit <= number / 10) {
            unit *= 10;
        }
        for (; unit > 0; unit /= 10) {
            bytes.put((byte) ('0' + number / unit % 10));
        }
    }

    /** A file for each query in a folder, in the order of their names, and all in one beside the folder. */
    static void writeTextQueries(Path folder, List<SetQuery> queries) throws IOException {
        try (OutputStream all =
                new BufferedOutputStream(
                        Files.newOutputStream(folder.resolveSibling("queries.txt")))) {
            for (int i = 0; i < queries.size(); i++) {
                StringBuilder line = new StringBuilder();
                for (int element : queries.get(i).elements()) {
                    line.append(line.length() == 0 ? "" : ",").append(element + FIRST_ELEMENT);
                }
                byte[] bytes = line.append('\n').toString().getBytes(StandardCharsets.US_ASCII);
                Files.write(folder.resolve(String.format(Locale.ROOT, "query%06d.txt", i)), bytes);
                all.write(bytes);
            }
        }
    }

    /** Makes the bytes of some documents. */
    @FunctionalInterface
    private interface Bytes {
        ByteBuffer of(int from, int to, SetData.Room room);
    }

    /** Writes the bytes of all documents in order; several threads make them. */
    private static void blocks(SetData data, Bytes bytes, FileChannel channel) throws IOException {
        int threads = Runtime.getRuntime().availableProcessors();
        int documents = Math.toIntExact(data.documents());
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        ThreadLocal<SetData.Room> rooms = ThreadLocal.withInitial(SetData.Room::new);
        Deque<Future<ByteBuffer>> made = new ArrayDeque<>();
        try {
            for (int from = 0; from < documents || !made.isEmpty(); ) {
                while (from < documents && made.size() < 2 * threads) {
                    int first = from;
                    int end = Math.min(documents, from + BLOCK);
                    made.add(pool.submit(() -> bytes.of(first, end, rooms.get())));
                    from = end;
                }
                write(channel, made.remove().get());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("documents could not be drawn", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while documents were written", e);
        } finally {
            pool.shutdownNow();
        }
    }

    private static FileChannel create(Path file) throws IOException {
        return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    private static void write(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static ByteBuffer little(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Deletes a folder and all that is in it. */
    static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(
                            file -> {
                                try {
                                    Files.delete(file);
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            });
        }
    }
}
