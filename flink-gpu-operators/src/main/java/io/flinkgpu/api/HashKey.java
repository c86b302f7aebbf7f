package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Where the key of keyed-hash rules comes from. Only the place is serialized and printed; the key is
 * read on the TaskManager when the operator opens.
 */
@PublicEvolving
public final class HashKey implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The fewest key bytes accepted. */
    public static final int MIN_BYTES = 16;

    private static final int MAX_BYTES = 64 << 10;

    /** A random key of {@link #MIN_BYTES} hex digits has fewer once in a billion. */
    private static final int MIN_DISTINCT_BYTES = 4;

    private static final Logger LOG = LoggerFactory.getLogger(HashKey.class);

    private final boolean fromFile;
    private final String place;

    private HashKey(boolean fromFile, String place) {
        this.fromFile = fromFile;
        this.place = Errors.present("place", place);
    }

    /** The bytes of a file, less line ends at its end. The file is read on every TaskManager. */
    public static HashKey fromFile(Path file) {
        return new HashKey(true, file.toString());
    }

    /** The UTF-8 bytes of an environment variable of the TaskManager. */
    public static HashKey fromEnvironment(String variable) {
        return new HashKey(false, variable);
    }

    /**
     * Reads the key.
     *
     * <p>Warns of a file that all users of the machine can read.
     *
     * @throws IllegalArgumentException when it cannot be read, is too short, repeats a few bytes or has
     *     several lines of text; names the place, never the key
     */
    public byte[] load() {
        byte[] key = fromFile ? readFile() : readVariable();
        int length = key.length;
        while (length > 0 && (key[length - 1] == '\n' || key[length - 1] == '\r')) {
            length--;
        }
        if (length < MIN_BYTES) {
            throw Errors.argument(
                    "the hash key in %s has %s bytes; put at least %s random bytes there",
                    this, length, MIN_BYTES);
        }
        if (IntStream.range(0, length).map(i -> key[i]).distinct().count() < MIN_DISTINCT_BYTES) {
            throw Errors.argument(
                    "the hash key in %s repeats fewer than %s bytes; put at least %s random bytes"
                            + " there",
                    this, MIN_DISTINCT_BYTES, MIN_BYTES);
        }
        if (isLines(key, length)) {
            throw Errors.argument(
                    "the hash key in %s has several lines of text; put one key there", this);
        }
        readableByAll().ifPresent(LOG::warn);
        return Arrays.copyOf(key, length);
    }

    /** Whether there is an end of a line in text; random bytes are hardly ever text. */
    private static boolean isLines(byte[] key, int length) {
        boolean lines = false;
        for (int i = 0; i < length; i++) {
            if (key[i] == '\n' || key[i] == '\r') {
                lines = true;
            } else if (key[i] < ' ' && key[i] != '\t') {
                return false;
            }
        }
        return lines;
    }

    /** What to do about a file that all users of the machine can read; empty if they cannot. */
    Optional<String> readableByAll() {
        if (!fromFile) {
            return Optional.empty();
        }
        Set<PosixFilePermission> permissions;
        try {
            permissions = Files.getPosixFilePermissions(Path.of(place));
        } catch (IOException | UnsupportedOperationException e) {
            // Not known of this file system.
            return Optional.empty();
        }
        return permissions.contains(PosixFilePermission.OTHERS_READ)
                ? Optional.of(
                        String.format(
                                "the hash key in %s can be read by all users of the machine: mode=%s;"
                                        + " chmod 400 it, or mount it with defaultMode: 0400",
                                this, PosixFilePermissions.toString(permissions)))
                : Optional.empty();
    }

    private byte[] readFile() {
        Path file = Path.of(place);
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw Errors.argument(
                    "the hash key in %s is not in a regular file: copy it to one", this);
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] key = in.readNBytes(MAX_BYTES + 1);
            if (key.length > MAX_BYTES) {
                throw Errors.argument(
                        "the hash key in %s has more than %s bytes: name the file of the key",
                        this, MAX_BYTES);
            }
            return key;
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "cannot read the hash key from " + this + ": make the file readable here", e);
        }
    }

    private byte[] readVariable() {
        String value = System.getenv(place);
        if (value == null) {
            throw new IllegalArgumentException(
                    "cannot read the hash key from " + this + ": set it for the TaskManagers");
        }
        return value.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return (fromFile ? "file '" : "environment variable '") + place + "'";
    }
}
