package io.flinkgpu.backend.cuda.dense;

import io.flinkgpu.api.dense.DenseLayer;
import io.flinkgpu.api.dense.DenseMatrix;
import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.api.dense.DenseVector;
import io.flinkgpu.backend.cuda.device.DeviceLayout;

import org.apache.flink.annotation.Internal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the weights, biases and constants of a plan lie in one block of device memory. Rows of matrices begin at
 * multiples of 16 bytes.
 */
@Internal
public final class DenseWeights {

    private static final long NONE = -1;

    private final List<Long> weights = new ArrayList<>();
    private final List<Long> biases = new ArrayList<>();
    private final List<Piece> pieces = new ArrayList<>();
    private final DeviceLayout block = new DeviceLayout();

    /** Numbers that follow each other, and where. */
    private record Piece(long at, float[] values) {}

    public DenseWeights(DensePlan plan) {
        for (DenseLayer layer : plan.layers()) {
            long weight = NONE;
            long bias = NONE;
            if (layer instanceof DenseLayer.Linear linear) {
                weight = matrix(linear.weights());
                bias = linear.bias() == null ? NONE : vector(linear.bias());
            } else if (layer instanceof DenseLayer.Cross cross) {
                weight = vector(cross.weights());
                bias = vector(cross.bias());
            } else if (layer instanceof DenseLayer.Constant constant) {
                weight = vector(constant.values());
            }
            weights.add(weight);
            biases.add(bias);
        }
    }

    private long matrix(DenseMatrix matrix) {
        int columns = matrix.columns();
        int stride = columns == 1 ? 1 : stride(columns);
        long at = block.array((long) Float.BYTES * stride * matrix.rows());
        for (int row = 0; row < matrix.rows(); row++) {
            pieces.add(new Piece(at + (long) Float.BYTES * stride * row, matrix.row(row)));
        }
        return at;
    }

    private long vector(DenseVector vector) {
        long at = block.array((long) Float.BYTES * vector.size());
        pieces.add(new Piece(at, vector.toArray()));
        return at;
    }

    /** The numbers from one row of a value to the next: a multiple of 4. */
    public static int stride(int width) {
        return (width + 3) & -4;
    }

    /** All of it, at least a byte. */
    public byte[] toBytes() {
        ByteBuffer bytes =
                ByteBuffer.allocate(Math.toIntExact(Math.max(1, block.end())))
                        .order(ByteOrder.LITTLE_ENDIAN);
        for (Piece piece : pieces) {
            bytes.position((int) piece.at());
            bytes.asFloatBuffer().put(piece.values());
        }
        return bytes.array();
    }

    /** Where the weights, or the constant, of a layer are, from the start of the block. */
    long weights(int layer) {
        return weights.get(layer);
    }

    /** The device address of the bias of a layer; 0 if it has none. */
    long bias(int layer, long base) {
        return biases.get(layer) == NONE ? 0 : base + biases.get(layer);
    }
}
