package io.flinkgpu.backend.cpu.lookup;

import io.flinkgpu.backend.plan.EmbeddingPlan;
import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.complex.ListVector;

/**
 * The bags of all requests of a batch, one after another; ids are counted through the batch. Filled anew for each
 * batch.
 */
final class Bags {

    /** Of the batch. */
    int rows;

    /** How many there are. */
    int count;

    /** How many ids all have. */
    int ids;

    /** Where the first id is. */
    long idAddress;

    /** Of each, as in the column. */
    int[] bag = new int[0];

    /** Of each, where its ids end. */
    int[] idEnd = new int[0];

    /** Of each, the address of the weight that id 0 would have, if it were the bag's; 0 if there are none. */
    long[] weights = new long[0];

    /** Of each row, where its bags end. */
    int[] rowEnd = new int[0];

    void fill(ColumnBatch batch) {
        ListVector idLists = (ListVector) batch.vector(EmbeddingPlan.IDS_COLUMN);
        ListVector bagLists = (ListVector) batch.vector(EmbeddingPlan.BAGS_COLUMN);
        ListVector endLists = (ListVector) batch.vector(EmbeddingPlan.BAG_ENDS_COLUMN);
        ListVector weightLists = (ListVector) batch.vector(EmbeddingPlan.WEIGHTS_COLUMN);
        rows = batch.rows();
        int firstBag = rows == 0 ? 0 : bagLists.getElementStartIndex(0);
        int firstId = rows == 0 ? 0 : idLists.getElementStartIndex(0);
        count = rows == 0 ? 0 : bagLists.getElementEndIndex(rows - 1) - firstBag;
        ids = rows == 0 ? 0 : idLists.getElementEndIndex(rows - 1) - firstId;
        idAddress = address(idLists) + (long) Long.BYTES * firstId;
        if (bag.length < count) {
            bag = new int[count];
            idEnd = new int[count];
            weights = new long[count];
        }
        if (rowEnd.length < rows) {
            rowEnd = new int[rows];
        }
        int next = 0;
        for (int row = 0; row < rows; row++) {
            int from = bagLists.getElementStartIndex(row);
            int to = bagLists.getElementEndIndex(row);
            long bagAddress = address(bagLists) + (long) Integer.BYTES * from;
            long endAddress =
                    address(endLists) + (long) Integer.BYTES * endLists.getElementStartIndex(row);
            int rowIds = idLists.getElementStartIndex(row) - firstId;
            long weight =
                    weightLists.isNull(row)
                            ? 0
                            : address(weightLists)
                                    + (long) Float.BYTES
                                            * (weightLists.getElementStartIndex(row) - rowIds);
            for (int i = 0; i < to - from; i++, next++) {
                bag[next] = MemoryUtil.getInt(bagAddress + (long) Integer.BYTES * i);
                idEnd[next] = rowIds + MemoryUtil.getInt(endAddress + (long) Integer.BYTES * i);
                weights[next] = weight;
            }
            rowEnd[row] = next;
        }
    }

    private static long address(ListVector lists) {
        return lists.getDataVector().getDataBuffer().memoryAddress();
    }

    /** The table of a bag. */
    int table(int index) {
        return EmbeddingPlan.table(bag[index]);
    }

    /** An id, counted through the batch. */
    long id(int index) {
        return MemoryUtil.getLong(idAddress + (long) Long.BYTES * index);
    }
}
