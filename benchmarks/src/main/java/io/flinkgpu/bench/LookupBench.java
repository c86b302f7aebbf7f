package io.flinkgpu.bench;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.backend.cuda.CudaBackend;

import java.io.PrintStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What it costs to look vectors up: how fast a GPU reads host memory, a batch of a recommendation model beside a
 * gather on the host, its growth with vectors, ids and skew, and changes. Vectors and ids are made here. {@code
 * --help} has the options.
 */
public final class LookupBench {

    private static final String JSON = "lookup.json";

    private static final String HELP =
            """
            usage: lookup [AXIS ...] [OPTIONS]

            Vectors are of 32 floats. Ids are drawn by a power law. Answers of backends are compared.

            Axes; without any all are measured:
              link     lines that a kernel reads from host memory, beside plain copies, and by how
                       much memory they are spread over (GPU)
              batch    4,096 requests for an id in each of 26 tables, of the sizes of Criteo's: all
                       vectors in device memory, 5 percent of them, none; and a gather of the batch's
                       different vectors on the host by 1 and by 16 threads, copied to the device; how
                       long a batch takes until its values are there, as a model needs them, and each
                       of its steps by itself
              device   as batch, all vectors in device memory alone; only if it is named
              rows     one table of --rows vectors, 100,000 ids; of another --type than f32 as many
                       vectors as fit are in device memory, few on the host, the others in the file
              ids      one table, --ids ids of a batch; a gather on the host, too
              skew     one table, by --skews
              updates  changes of 1,000 vectors between batches; lookups without and with 100,000
                       changes a second, in turns
              dense    a deep & cross network (845 numbers, 6 cross layers, 2 x 1,024) for 4,096 rows whose
                       numbers are in device memory, exact and fast (GPU)
              stream   a Flink job that scores samples of 13 numbers and an id in each of 26 tables, a
                       20th of Criteo's, with a deep & cross network (3 cross layers, 2 x 128), in turns
                       with one that has vectors in a HashMap and a map function and, where there is a
                       GPU, one whose batches are gathered on the host by all cores, copied and scored
                       there: samples/s, and latency at --rate. A sample is its bytes in all of them,
                       and crosses the network once. flink-host is our job without the lookup

              --backends LIST    of cpu,cuda; what is there without it
              --rows LIST        default: 100000,1000000,10000000,100000000
              --type TYPE        of the elements of --rows: f32, f16, bf16 or int8; default: f32
              --ids LIST         default: 100,1000,10000,100000,1000000
              --skews LIST       default: 0.8,1.05,1.2; the batch's is 1.05
              --repeats N        measured runs after those to warm up; default: 20
              --rate N           samples a second, for latency; default: 2000
              --seconds N        that are counted, after as many that are not; 0: no latency; default: 10
              --samples N        of a job at no rate, half of which are counted; a 64th for the map
                                 function; default: 200000, which is for a CPU
              --parallelism LIST of the jobs' tasks; default: 1
              --engines LIST     of flink-cpu,flink-gpu,flink-gather,flink-map,flink-host; default: the
                                 first four, as there are backends
              --folder FOLDER    for base files, 136 bytes a vector; default: /dev/shm
              --output FOLDER    for lookup.json and plots of ids, skew and rows; default: bench-report
              --quick            tiny sizes: shows that all works, its figures mean nothing

            100 million vectors take 14 GB of files, as much of host memory, and 4 GB each of host and device
            memory for their ids; give java -Xmx4g. On a GPU alone (--backends cuda) 300 million take 41, 38 and
            17 GB, in all some 100 GB of memory, with 5 percent in device memory: the most that 128 GB of memory
            hold; of f32 a thousand million take some 320 GB. With --type int8 they take 48 GB of files, 40 GB of host
            memory, and of device memory 39 GB, and 64 for all vectors or what there is.
            """;

    private static final Set<String> AXES =
            Set.of("link", "batch", "device", "rows", "ids", "skew", "updates", "dense", "stream");

    private LookupBench() {}

    /** Ends with 0 when all is measured, 1 when something failed, 2 for a mistake of the caller. */
    public static void main(String[] args) {
        System.exit(run(List.of(args), System.out, System.err));
    }

    static int run(List<String> args, PrintStream out, PrintStream err) {
        if (args.contains("--help")) {
            out.print(HELP);
            return 0;
        }
        try {
            LookupOptions options = LookupOptions.parse(args);
            for (String axis : options.axes()) {
                if (!AXES.contains(axis)) {
                    throw new IllegalArgumentException(
                            "no such axis: '" + axis + "'; --help has them all");
                }
            }
            return measure(args, options, out);
        } catch (IllegalArgumentException e) {
            err.println("lookup: " + e.getMessage());
            return 2;
        } catch (Exception | LinkageError e) {
            e.printStackTrace(err);
            return 1;
        }
    }

    private static int measure(List<String> args, LookupOptions options, PrintStream out)
            throws Exception {
        Files.createDirectories(options.output());
        List<BackendChoice> backends = new ArrayList<>(options.backends());
        Hardware hardware;
        Optional<CudaBackend> gpu = LookupRig.gpu(options);
        try {
            hardware = Hardware.measure(gpu);
            if (backends.isEmpty()) {
                backends.add(BackendChoice.CPU);
                gpu.ifPresent(it -> backends.add(BackendChoice.CUDA));
            }
        } finally {
            gpu.ifPresent(CudaBackend::close);
        }
        out.println(hardware);
        Report head = Report.begin("lookup " + String.join(" ", args), "made-up vectors", hardware);
        KeysReport report = new KeysReport(head, options.output().resolve(JSON), out);
        LookupSpeed speed = new LookupSpeed(options, report, backends);
        axis(report, options, "link", speed::link);
        axis(report, options, "batch", speed::batch);
        if (!options.wants("batch")) {
            axis(report, options, "device", speed::device);
        }
        axis(report, options, "rows", speed::rows);
        axis(report, options, "ids", speed::ids);
        axis(report, options, "skew", speed::skew);
        axis(report, options, "updates", speed::updates);
        axis(report, options, "dense", speed::dense);
        axis(report, options, "stream", speed::stream);
        LookupPlot.write(report.report(), options.output());
        return report.failures() > 0 ? 1 : 0;
    }

    /** Some figures. */
    @FunctionalInterface
    private interface Axis {
        void run() throws Exception;
    }

    private static void axis(KeysReport report, LookupOptions options, String name, Axis axis) {
        if (!options.wants(name)) {
            return;
        }
        try {
            axis.run();
        } catch (Exception | LinkageError | OutOfMemoryError e) {
            report.say("axis " + name + " failed, the others go on");
            report.failed(e);
        }
    }
}
