package io.flinkgpu.api.lookup;

import io.flinkgpu.api.Errors;

import org.apache.flink.annotation.PublicEvolving;

import java.io.Serializable;
import java.util.Objects;
import java.util.Optional;

/**
 * A table of vectors, the embeddings, by ids of any 64 bits. It begins with those of its base file, if it has
 * one, and is changed by a stream. Immutable.
 */
@PublicEvolving
public final class EmbeddingTable implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The most elements of a vector. */
    public static final int MAX_DIMENSION = 1 << 16;

    private final String name;
    private final int dimension;
    private final ElementType type;
    private final Missing missing;
    private final BaseFile base;

    private EmbeddingTable(
            String name, int dimension, ElementType type, Missing missing, BaseFile base) {
        this.name = name;
        this.dimension = dimension;
        this.type = type;
        this.missing = missing;
        this.base = base;
    }

    /**
     * A table whose missing ids give zeros, and which has no base file.
     *
     * @param name in requests, changes, metrics and savepoints
     * @param dimension elements of each vector
     * @throws IllegalArgumentException if the name is empty, or the dimension not from 1 to 65,536
     */
    public static EmbeddingTable of(String name, int dimension, ElementType type) {
        Errors.present("name", name);
        Errors.present("type", type);
        if (name.isEmpty()) {
            throw new BadVectorException("a table has a name: name=\"\"; give it one");
        }
        if (dimension < 1 || dimension > MAX_DIMENSION) {
            throw new BadVectorException(
                    "the vectors of a table have 1 to %s elements: table=%s, dimension=%s; split longer"
                            + " ones into several tables",
                    MAX_DIMENSION, name, dimension);
        }
        return new EmbeddingTable(
                name, dimension, Objects.requireNonNull(type, "type"), Missing.zeros(), null);
    }

    /**
     * The same table with something else for missing ids.
     *
     * @throws IllegalArgumentException if it is a vector of another dimension
     */
    public EmbeddingTable withMissing(Missing newMissing) {
        Errors.present("newMissing", newMissing);
        if (!newMissing.fits(dimension)) {
            throw new BadVectorException(
                    "what a missing id gives has as many elements as the table's vectors: table=%s,"
                            + " dimension=%s, elements=%s; use constant(..) for the same number in all",
                    name, dimension, newMissing.values(dimension).length);
        }
        return new EmbeddingTable(name, dimension, type, newMissing, base);
    }

    /** The same table with a base file. */
    public EmbeddingTable withBase(BaseFile file) {
        return new EmbeddingTable(
                name, dimension, type, missing, Objects.requireNonNull(file, "file"));
    }

    /** In requests, changes, metrics and savepoints. */
    public String name() {
        return name;
    }

    /** Elements of each vector. */
    public int dimension() {
        return dimension;
    }

    /** What the elements of vectors are. */
    public ElementType type() {
        return type;
    }

    /** What an id gives that is not there. */
    public Missing missing() {
        return missing;
    }

    /** The file with the vectors that it begins with, if there is one. */
    public Optional<BaseFile> base() {
        return Optional.ofNullable(base);
    }

    /** The bytes of each vector. */
    public int vectorBytes() {
        return type.vectorBytes(dimension);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EmbeddingTable that
                && name.equals(that.name)
                && dimension == that.dimension
                && type == that.type
                && missing.equals(that.missing)
                && Objects.equals(base, that.base);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, dimension, type, missing, base);
    }

    /** For a person to read. */
    @Override
    public String toString() {
        return name
                + ": "
                + dimension
                + " x "
                + type
                + ", a missing id gives "
                + missing
                + (base == null ? "" : ", base file " + base);
    }
}
