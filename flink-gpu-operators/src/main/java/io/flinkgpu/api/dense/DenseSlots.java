package io.flinkgpu.api.dense;

import org.apache.flink.annotation.Internal;

import java.util.ArrayList;
import java.util.List;

/**
 * Which buffer each value of a plan is kept in: buffers are used again once nobody reads their value. The
 * input and the output have one of their own, and constants have none.
 */
@Internal
public final class DenseSlots {

    /** The slot of a constant. */
    public static final int NONE = -1;

    private final int[] slots;
    private final List<Integer> widths = new ArrayList<>();

    public DenseSlots(DensePlan plan) {
        List<DenseLayer> layers = plan.layers();
        int[] lastReader = new int[layers.size() + 1];
        for (int i = 0; i < layers.size(); i++) {
            for (int input : layers.get(i).inputs()) {
                lastReader[input] = i;
            }
        }
        slots = new int[layers.size() + 1];
        widths.add(plan.inputWidth());
        List<Integer> free = new ArrayList<>();
        for (int i = 0; i < layers.size(); i++) {
            DenseLayer layer = layers.get(i);
            slots[i + 1] =
                    layer instanceof DenseLayer.Constant
                            ? NONE
                            : take(i == layers.size() - 1, free, plan.width(i + 1));
            // After its own is taken: a layer never writes what it reads.
            for (int input : layer.inputs().stream().distinct().toList()) {
                if (slots[input] > 0 && lastReader[input] == i) {
                    free.add(slots[input]);
                }
            }
        }
    }

    private int take(boolean isOutput, List<Integer> free, int width) {
        if (isOutput || free.isEmpty()) {
            widths.add(width);
            return widths.size() - 1;
        }
        int slot = free.remove(free.size() - 1);
        widths.set(slot, Math.max(width, widths.get(slot)));
        return slot;
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
