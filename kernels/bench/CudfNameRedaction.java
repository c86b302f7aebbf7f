import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostMemoryBuffer;
import ai.rapids.cudf.Rmm;
import ai.rapids.cudf.RmmAllocationMode;
import ai.rapids.cudf.Scalar;
import ai.rapids.cudf.Table;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;

/**
 * libcudf's general string calls for the transform of name_redaction.cu, over people generated alike:
 * the five of NVIDIA's article "Mastering String Transformations in RAPIDS libcudf". Columns on the
 * device, memory from a stream-ordered pool; by the host's clock, until the device is done.
 *
 * <pre>
 *   javac -cp cudf-26.08.1-cuda13.jar -d out CudfNameRedaction.java
 *   java -cp cudf-26.08.1-cuda13.jar:slf4j-api.jar:out CudfNameRedaction 600000 10000000
 * </pre>
 */
public final class CudfNameRedaction {

    private static final long POOL_BYTES = 8L << 30;
    private static final int REPEATS = 50;
    private static final String[] FIRST_NAMES = {
        "John", "Mary", "Alexander", "Li", "Zo\u00eb", "Christopher"
    };
    private static final String[] LAST_NAMES = {
        "Doe", "Smith", "Featherstone", "Ng", "Anderson", "Fern\u00e1ndez"
    };

    private CudfNameRedaction() {}

    public static void main(String[] args) {
        Rmm.initialize(RmmAllocationMode.POOL, null, POOL_BYTES);
        for (String rows : args) {
            run(Integer.parseInt(rows));
        }
    }

    private static void run(int rows) {
        Random random = new Random(1);
        String[] names = new String[FIRST_NAMES.length * LAST_NAMES.length];
        for (int i = 0; i < names.length; i++) {
            names[i] =
                    FIRST_NAMES[i % FIRST_NAMES.length] + " " + LAST_NAMES[i / FIRST_NAMES.length];
        }
        int[] chosenNames = random.ints(rows, 0, names.length).toArray();
        int[] chosenVisibilities = random.ints(rows, 0, 2).toArray();
        String[] visibilities = {"public", "private"};
        double[] micros = new double[REPEATS];
        try (ColumnVector name = texts(names, chosenNames);
                ColumnVector visibility = texts(visibilities, chosenVisibilities)) {
            try (ColumnVector result = redact(name, visibility);
                    HostColumnVector host = result.copyToHost()) {
                for (int row = 0; row < rows; row++) {
                    String[] parts = names[chosenNames[row]].split(" ");
                    String expected =
                            chosenVisibilities[row] == 0
                                    ? parts[1].substring(0, 1) + " " + parts[0]
                                    : "X X";
                    if (!expected.equals(host.getJavaString(row))) {
                        throw new IllegalStateException("row " + row + " is wrong");
                    }
                }
            }
            for (int i = -5; i < REPEATS; i++) {
                Cuda.DEFAULT_STREAM.sync();
                long start = System.nanoTime();
                ColumnVector result = redact(name, visibility);
                Cuda.DEFAULT_STREAM.sync();
                if (i >= 0) {
                    micros[i] = (System.nanoTime() - start) / 1e3;
                }
                result.close();
            }
        }
        Arrays.sort(micros);
        System.out.printf(
                Locale.ROOT,
                "libcudf, %d rows: %.0f us (least %.0f)%n",
                rows,
                micros[REPEATS / 2],
                micros[0]);
    }

    private static ColumnVector redact(ColumnVector name, ColumnVector visibility) {
        try (Scalar wanted = Scalar.fromString("public");
                Scalar redaction = Scalar.fromString("X X");
                Scalar space = Scalar.fromString(" ");
                Scalar nothing = Scalar.fromString("");
                ColumnVector allowed = visibility.stringContains(wanted);
                Table parts = name.stringSplit(" ");
                ColumnVector initial = parts.getColumn(1).substring(0, 1);
                ColumnVector shown =
                        ColumnVector.stringConcatenate(
                                space, nothing, new ColumnView[] {initial, parts.getColumn(0)})) {
            return allowed.ifElse(shown, redaction);
        }
    }

    private static ColumnVector texts(String[] values, int[] chosen) {
        byte[][] bytes = new byte[values.length][];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = values[i].getBytes(StandardCharsets.UTF_8);
        }
        long total = Arrays.stream(chosen).mapToLong(i -> bytes[i].length).sum();
        HostMemoryBuffer data = HostMemoryBuffer.allocate(total);
        HostMemoryBuffer offsets = HostMemoryBuffer.allocate(4 * (chosen.length + 1L));
        int end = 0;
        offsets.setInt(0, 0);
        for (int row = 0; row < chosen.length; row++) {
            byte[] value = bytes[chosen[row]];
            data.setBytes(end, value, 0, value.length);
            end += value.length;
            offsets.setInt(4 * (row + 1L), end);
        }
        try (HostColumnVector host =
                new HostColumnVector(
                        DType.STRING, chosen.length, Optional.of(0L), data, null, offsets)) {
            return host.copyToDevice();
        }
    }
}
