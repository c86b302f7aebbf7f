package io.flinkgpu.backend.plan;

import io.flinkgpu.api.ColumnType;
import io.flinkgpu.backend.ResidentPlan;

import org.apache.flink.annotation.Internal;

import java.util.List;

/**
 * Documents, each a set of unsigned 32-bit elements with an id and 32 bits of attributes. A change is an id,
 * never null; the elements of its set, sorted as unsigned numbers, each once, none of them null, or null for
 * a document that is deleted, if it is there; and its attributes.
 *
 * @param name of it, for errors and logs
 * @param bytes the most memory it may ever take where batches run
 */
@Internal
public record CorpusPlan(String name, long bytes) implements ResidentPlan {

    private static final long serialVersionUID = 1L;

    public static final int ID_COLUMN = 0;
    public static final int ELEMENTS_COLUMN = 1;
    public static final int ATTRIBUTES_COLUMN = 2;

    public static final ColumnType ELEMENTS = ColumnType.list(ColumnType.INT);

    @Override
    public List<ColumnType> changes() {
        return List.of(ColumnType.LONG, ELEMENTS, ColumnType.INT);
    }

    /**
     * What to say where the documents do not fit.
     *
     * @param neededBytes at least so much, with the change that does not fit
     * @param documents how many there would be
     */
    public String noRoom(long neededBytes, long documents) {
        return "a corpus has no room for its documents: name="
                + name
                + ", neededBytes="
                + neededBytes
                + ", corpusBytes="
                + bytes
                + ", documents="
                + documents
                + "; raise corpusBytes, or the parallelism, which divides the documents";
    }
}
