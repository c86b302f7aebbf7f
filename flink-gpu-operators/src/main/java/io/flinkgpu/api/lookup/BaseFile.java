package io.flinkgpu.api.lookup;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A file with the vectors that a table begins with. It must be there, at the same path, on all machines that
 * have a task of the lookup, and is never changed: another content is another path. Vectors that are asked for
 * most should come first, as what does not fit into memory is the end. Immutable.
 *
 * @see #raw(String) docs/lookup.md has the formats
 */
@PublicEvolving
public final class BaseFile implements Serializable {

    private static final long serialVersionUID = 1L;

    private final Format format;
    private final String path;
    private final String vectors;
    private final String ids;
    private final String scales;
    private final String biases;
    private final Long checksum;

    /** How a file is written. */
    public enum Format {
        /** The library's own: a header with a checksum, ids, then vectors. */
        RAW,
        /** Named tensors after a header in JSON. */
        SAFETENSORS
    }

    private BaseFile(
            Format format,
            String path,
            String vectors,
            String ids,
            String scales,
            String biases,
            Long checksum) {
        this.format = format;
        this.path = path;
        this.vectors = vectors;
        this.ids = ids;
        this.scales = scales;
        this.biases = biases;
        this.checksum = checksum;
    }

    /** A file in the library's format. */
    public static BaseFile raw(String path) {
        return new BaseFile(Format.RAW, present("path", path), null, null, null, null, null);
    }

    /**
     * A file of tensors, one of which has the vectors as rows. Their ids are their numbers from 0 on, unless
     * {@link #withIds} names them.
     *
     * @param vectors the name of the tensor: of F32, F16, BF16 or I8, in two dimensions
     */
    public static BaseFile safetensors(String path, String vectors) {
        return new BaseFile(
                Format.SAFETENSORS,
                present("path", path),
                present("vectors", vectors),
                null,
                null,
                null,
                null);
    }

    /**
     * The same with ids, each once.
     *
     * @param tensor of I64 in one dimension, as long as there are vectors
     */
    public BaseFile withIds(String tensor) {
        requireTensors("withIds");
        return new BaseFile(
                format, path, vectors, present("tensor", tensor), scales, biases, checksum);
    }

    /**
     * The same with a scale and a bias for each vector, which vectors of I8 need.
     *
     * @param scaleTensor of F32 in one dimension, as long as there are vectors
     * @param biasTensor likewise
     */
    public BaseFile withScaleAndBias(String scaleTensor, String biasTensor) {
        requireTensors("withScaleAndBias");
        return new BaseFile(
                format,
                path,
                vectors,
                ids,
                present("scaleTensor", scaleTensor),
                present("biasTensor", biasTensor),
                checksum);
    }

    /**
     * The same, which has to have a checksum.
     *
     * @param expected CRC-32C of the content, as docs/lookup.md says for each format
     */
    public BaseFile withChecksum(long expected) {
        return new BaseFile(format, path, vectors, ids, scales, biases, expected);
    }

    /** The same at another path. */
    public BaseFile at(String newPath) {
        return new BaseFile(
                format, present("path", newPath), vectors, ids, scales, biases, checksum);
    }

    private void requireTensors(String method) {
        if (format != Format.SAFETENSORS) {
            throw new BadVectorException(
                    "only a file of tensors has names of them: format=%s; leave out %s(..)",
                    format, method);
        }
    }

    private static String present(String name, String value) {
        return Objects.requireNonNull(value, name);
    }

    /** How the file is written. */
    public Format format() {
        return format;
    }

    /** Where the file is, on each machine. */
    public String path() {
        return path;
    }

    /** The tensor with the vectors; null where the format has no names. */
    public String vectors() {
        return vectors;
    }

    /** The tensor with the ids, if there is one. */
    public Optional<String> ids() {
        return Optional.ofNullable(ids);
    }

    /** The tensor with the scales, if there is one; then there are biases as well. */
    public Optional<String> scales() {
        return Optional.ofNullable(scales);
    }

    /** The tensor with the biases. */
    public Optional<String> biases() {
        return Optional.ofNullable(biases);
    }

    /** What the CRC-32C of the content has to be, if that is known. */
    public OptionalLong checksum() {
        return checksum == null ? OptionalLong.empty() : OptionalLong.of(checksum);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BaseFile that
                && format == that.format
                && path.equals(that.path)
                && Objects.equals(vectors, that.vectors)
                && Objects.equals(ids, that.ids)
                && Objects.equals(scales, that.scales)
                && Objects.equals(biases, that.biases)
                && Objects.equals(checksum, that.checksum);
    }

    @Override
    public int hashCode() {
        return Objects.hash(format, path, vectors, ids, scales, biases, checksum);
    }

    @Override
    public String toString() {
        return format + " " + path;
    }
}
