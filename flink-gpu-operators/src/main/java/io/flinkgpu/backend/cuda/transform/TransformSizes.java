package io.flinkgpu.backend.cuda.transform;

import io.flinkgpu.api.ColumnType;

import java.util.Arrays;

/**
 * How many bytes a row the texts of a plan take: those of a batch are known, those that passes write
 * are expected to be as in the batch before.
 */
final class TransformSizes {

    private static final double UNKNOWN = -1;

    private final NumberedPasses plan;
    private final double[] written;

    TransformSizes(NumberedPasses plan) {
        this.plan = plan;
        written = new double[plan.types().size()];
        Arrays.fill(written, UNKNOWN);
    }

    /** Learns of a batch. */
    void note(TransformHeader header, int rows) {
        for (int i = plan.inputs(); i < written.length; i++) {
            if (plan.isWrittenText(i)) {
                written[i] = (double) header.bytes(i) / rows;
            }
        }
    }

    /** Expected bytes a row of a column; 0 if it is no text. */
    double bytesPerRow(TransformInput input, int column) {
        if (plan.types().get(column) != ColumnType.TEXT) {
            return 0;
        }
        if (column < plan.inputs()) {
            return (double) input.columns().get(column).dataBytes() / input.rows();
        }
        return written[column] == UNKNOWN ? textBytesPerRow(input) : written[column];
    }

    /** The shapes of all passes for a batch. */
    TransformShape[] shapes(TransformInput input) {
        TransformShape[] shapes = new TransformShape[plan.program().passes().size()];
        for (int pass = 0; pass < shapes.length; pass++) {
            PassImage image = plan.program().passes().get(pass);
            double read = 0;
            for (int column : image.columns().columns()) {
                read += bytesPerRow(input, column);
            }
            double most = 0;
            int first = plan.firstOutput(pass);
            for (int i = 0; i < image.pass().outputs().size(); i++) {
                most = Math.max(most, bytesPerRow(input, first + i));
            }
            shapes[pass] = TransformShape.of(image, input.rows(), read, most);
        }
        return shapes;
    }

    private static double textBytesPerRow(TransformInput input) {
        return (double) input.textBytes() / input.rows();
    }
}
