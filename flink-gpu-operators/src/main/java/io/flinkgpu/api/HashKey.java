package io.flinkgpu.api;

import org.apache.flink.annotation.PublicEvolving;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;

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

    private final boolean fromFile;
    private final String place;

    private HashKey(boolean fromFile, String place) {
        this.fromFile = fromFile;
        this.place = Objects.requireNonNull(place, "place");
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
     * @throws IllegalArgumentException when it cannot be read or is too short; names the place, never
     *     the key
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
        return Arrays.copyOf(key, length);
    }

    private byte[] readFile() {
        try (InputStream in = Files.newInputStream(Path.of(place))) {
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
