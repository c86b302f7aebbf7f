package io.flinkgpu.backend.cuda.dense;

import io.flinkgpu.api.dense.DenseLayer;
import io.flinkgpu.api.dense.DenseMatrix;
import io.flinkgpu.api.dense.DensePlan;
import io.flinkgpu.api.dense.DensePrecision;
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

    /** The compute capability, major * 10 + minor, from which on there are tensor cores for bf16. */
    private static final int FAST_CAPABILITY = 80;

    private static final int ROUNDED_SHIFT = 16;

    private final DensePlan plan;
    private final List<Long> weights = new ArrayList<>();
    private final List<Long> biases = new ArrayList<>();
    private final List<Piece> pieces = new ArrayList<>();
    private final DeviceLayout block = new DeviceLayout();

    /**
     * Numbers that follow each other, and where.
     *
     * @param rounded whether they are there as bf16
     */
    private record Piece(long at, float[] values, boolean rounded) {}

    /**
     * Places the weights.
     *
     * @param computeCapability of the device, major * 10 + minor: an old one has the exact results whatever the
     *     plan allows
     */
    public DenseWeights(DensePlan wanted, int computeCapability) {
        plan =
                computeCapability < FAST_CAPABILITY
                        ? wanted.withPrecision(DensePrecision.EXACT)
                        : wanted;
        for (DenseLayer layer : plan.layers()) {
            long weight = NONE;
            long bias = NONE;
            if (layer instanceof DenseLayer.Linear linear) {
                weight = isFast(layer) ? turned(linear.weights()) : matrix(linear.weights());
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
            pieces.add(new Piece(at + (long) Float.BYTES * stride * row, matrix.row(row), false));
        }
        return at;
    }

    /** Rounded, a row for each output. */
    private long turned(DenseMatrix matrix) {
        int stride = roundedStride(matrix.rows());
        long at = block.array((long) Short.BYTES * stride * matrix.columns());
        for (int column = 0; column < matrix.columns(); column++) {
            long start = at + (long) Short.BYTES * stride * column;
            pieces.add(new Piece(start, matrix.column(column), true));
        }
        return at;
    }

    private long vector(DenseVector vector) {
        long at = block.array((long) Float.BYTES * vector.size());
        pieces.add(new Piece(at, vector.toArray(), false));
        return at;
    }

    /** The numbers from one row of a value to the next: a multiple of 4. */
    public static int stride(int width) {
        return (width + 3) & -4;
    }

    /** The same for rounded numbers: a multiple of 8. */
    static int roundedStride(int width) {
        return (width + 7) & -8;
    }

    /** The plan that these are the weights of, as exact as the device makes it. */
    DensePlan plan() {
        return plan;
    }

    /** Whether a layer runs on tensor cores: it reads rounded numbers then. */
    boolean isFast(DenseLayer layer) {
        return plan.precision() == DensePrecision.FAST
                && layer instanceof DenseLayer.Linear linear
                && linear.weights().columns() > 1;
    }

    /** Rounded to bf16, to nearest even. */
    static short rounded(float value) {
        int bits = Float.floatToIntBits(value);
        if (Float.isNaN(value)) {
            return (short) (bits >>> ROUNDED_SHIFT);
        }
        return (short) (bits + 0x7fff + (bits >>> ROUNDED_SHIFT & 1) >>> ROUNDED_SHIFT);
    }

    /** All of it, at least a byte. */
    public byte[] toBytes() {
        ByteBuffer bytes =
                ByteBuffer.allocate(Math.toIntExact(Math.max(1, block.end())))
                        .order(ByteOrder.LITTLE_ENDIAN);
        for (Piece piece : pieces) {
            bytes.position((int) piece.at());
            if (piece.rounded()) {
                for (float value : piece.values()) {
                    bytes.putShort(rounded(value));
                }
            } else {
                bytes.asFloatBuffer().put(piece.values());
            }
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
