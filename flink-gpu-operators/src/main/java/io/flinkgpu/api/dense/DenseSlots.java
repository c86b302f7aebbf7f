package io.flinkgpu.api.dense;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Which buffer each value of a plan is kept in: buffers are used again once nobody reads their value. The
 * input and the output have one of their own, and constants have none.
 */
@Internal
public final class DenseSlots {

    /** The slot of a constant. */
    public static final int NONE = -1;

    private static final int UNKNOWN = -2;

    private final int[] slots;

    /** The value in whose rows a value's numbers are, its own or a concatenation's; and from which column on. */
    private final int[] owners;

    private final int[] columns;
    private final List<Integer> widths = new ArrayList<>();
    private final List<Integer> free = new ArrayList<>();

    /** Each value has a buffer of its own. */
    public DenseSlots(DensePlan plan) {
        this(plan, value -> false);
    }

    /**
     * Values that only a concatenation reads may be in its rows from the start.
     *
     * @param joined which values may be put together like this, if they are concatenations
     */
    public DenseSlots(DensePlan plan, IntPredicate joined) {
        List<DenseLayer> layers = plan.layers();
        int[] lastReader = new int[layers.size() + 1];
        int[] readers = new int[layers.size() + 1];
        for (int i = 0; i < layers.size(); i++) {
            for (int input : layers.get(i).inputs()) {
                lastReader[input] = i;
                readers[input]++;
            }
        }
        owners = new int[layers.size() + 1];
        columns = new int[layers.size() + 1];
        Arrays.setAll(owners, value -> value);
        for (int i = 0; i < layers.size(); i++) {
            if (layers.get(i) instanceof DenseLayer.Concat concat && joined.test(i + 1)) {
                join(plan, concat, i + 1, readers);
            }
        }
        slots = new int[layers.size() + 1];
        Arrays.fill(slots, UNKNOWN);
        slots[0] = 0;
        widths.add(plan.inputWidth());
        for (int i = 0; i < layers.size(); i++) {
            DenseLayer layer = layers.get(i);
            int owner = owners[i + 1];
            if (layer instanceof DenseLayer.Constant) {
                slots[i + 1] = NONE;
            } else if (slots[owner] == UNKNOWN) {
                slots[owner] = take(owner == layers.size(), plan.width(owner));
            }
            slots[i + 1] = slots[owner];
            // After its own is taken: a layer never writes what it reads.
            for (int input : layer.inputs().stream().distinct().toList()) {
                if (slots[input] > 0 && lastReader[input] == i && owners[input] == input) {
                    free.add(slots[input]);
                }
            }
        }
    }

    private void join(DensePlan plan, DenseLayer.Concat concat, int value, int[] readers) {
        int column = 0;
        for (int part : concat.inputs()) {
            if (part > 0
                    && readers[part] == 1
                    && !(plan.layers().get(part - 1) instanceof DenseLayer.Concat)) {
                owners[part] = value;
                columns[part] = column;
            }
            column += plan.width(part);
        }
    }

    private int take(boolean isOutput, int width) {
        if (isOutput || free.isEmpty()) {
            widths.add(width);
            return widths.size() - 1;
        }
        int slot = free.remove(free.size() - 1);
        widths.set(slot, Math.max(width, widths.get(slot)));
        return slot;
    }

    /** The value whose rows a value's numbers are part of: itself, or a concatenation that it is joined with. */
    public int owner(int value) {
        return owners[value];
    }

    /** From which number of its owner's rows on a value's numbers are. */
    public int column(int value) {
        return columns[value];
    }

    /** The slot of a value: 0 is the input's. */
    public int of(int value) {
        return slots[value];
    }

    public int count() {
        return widths.size();
    }

    /** The numbers a row that a slot has room for. */
    public int width(int slot) {
        return widths.get(slot);
    }
}
