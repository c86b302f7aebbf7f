package io.flinkgpu.bench;

import io.flinkgpu.api.BackendChoice;
import io.flinkgpu.backend.cuda.CudaBackend;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a search for similar sets costs by skew, number of documents and k, between changes, on all cores,
 * and beside peers. Documents are made here by public generators, and answers compared with each other and
 * with public check values. {@code --help} has the options.
 */
public final class SearchBench {

    private static final String JSON = "search.json";

    private static final String HELP =
            """
            usage: search [AXIS ...] --lengths FILE [OPTIONS]
                   search plots JSON ... [--output FOLDER]

            Documents are sets of up to 127 of 50,001 elements, queries of up to 128, similarity is
            common / max(sizes). At skew 0 all elements are as frequent and queries of random sizes,
            else elements follow Zipf's law and queries are like documents.

            Axes; without any all are measured down to shards:
              skew       a batch of queries and batches of 32, for each of --skews; loading, too
              k          a batch by --k, at skew 1 if it is of --skews, else the first of them
              updates    batches of 512 with as many changes before each, beside none; likewise
              documents  a batch by the number of documents, for each of --skews: one corpus grows,
                         as with --shuffled
              shards     programs of the CPU backend, each with a part of the documents and a thread
              stream     a Flink job: when all documents are there, queries and changes at their rates,
                         and the latency of queries, at one skew as k
              lucene     Lucene beside the CPU backend, a thread each
              champion   the CUDA champion of the contest beside the GPU; needs --champion
              engines    each way to count on the GPU alone: a batch and 32 queries, at each skew

              --lengths FILE     lines "length documents" of a real corpus, from 0 in steps of one
              --backends LIST    of cpu,cuda; what is there without it
              --documents LIST   numbers of them, the first where they are not varied;
                                 default: 7853052, varied 0.5 to 30 million
              --skews LIST       default: 0,0.8,1,1.2
              --queries N        of a batch; default: 2000 for cuda and shards, 256 for cpu
              --k LIST           default: 100
              --shards LIST      default: all cores
              --rate N           changes a second; default: 50000
              --query-rate N     queries a second of stream; default: 50000 for cuda, 200 for cpu
              --seconds N        of axes that run for a time; default: 10
              --repeats N        measured runs after those to warm up; default: 5
              --shuffled         documents come in no order of their lengths
              --champion FOLDER  what set-search-champion.sh made
              --text             champion: its own program on text files, too, whole
              --folder FOLDER    for large files; default: /dev/shm
              --output FOLDER    for search.json and search.png; default: bench-report
              --quick            tiny sizes: shows that all works, its figures mean nothing

            7,853,052 documents take 2 GB of heap on the CPU and 30 million 10 GB: give java -Xmx.
            The 100 best documents of 7853052 and 1963263 at skews 0 and 1 have public check values.
            """;

    private static final Set<String> AXES =
            Set.of(
                    "skew",
                    "k",
                    "updates",
                    "documents",
                    "shards",
                    "stream",
                    "lucene",
                    "champion",
                    "engines");

    private SearchBench() {}

    /** Ends with 0 when all is measured, 1 when something failed, 2 for a mistake of the caller. */
    public static void main(String[] args) {
        System.exit(run(List.of(args), System.out, System.err));
    }

    static int run(List<String> args, PrintStream out, PrintStream err) {
        try {
            if (args.isEmpty() || args.contains("--help")) {
                out.print(HELP);
                return args.isEmpty() ? 2 : 0;
            }
            if (args.get(0).equals("plots")) {
                return plots(args.subList(1, args.size()));
            }
            SearchOptions options = SearchOptions.parse(args);
            for (String axis : options.axes()) {
                if (!AXES.contains(axis)) {
                    throw new IllegalArgumentException(
                            "no such axis: '" + axis + "'; --help has them all");
                }
            }
            return measure(args, options, out);
        } catch (IllegalArgumentException e) {
            err.println("search: " + e.getMessage());
            return 2;
        } catch (Exception | LinkageError e) {
            e.printStackTrace(err);
            return 1;
        }
    }

    private static int plots(List<String> args) throws IOException {
        List<String> files = new ArrayList<>(args);
        Path output = Path.of("bench-report");
        int at = files.indexOf("--output");
        if (at >= 0 && at + 1 < files.size()) {
            output = Path.of(files.get(at + 1));
            files.subList(at, at + 2).clear();
        }
        SearchPlot.write(KeysReport.read(files), output);
        return 0;
    }

    private static int measure(List<String> args, SearchOptions options, PrintStream out)
            throws Exception {
        Files.createDirectories(options.output());
        Hardware hardware;
        List<BackendChoice> backends = new ArrayList<>(options.backends());
        Optional<CudaBackend> gpu = SearchLab.gpu(options);
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
        Report head = Report.begin("search " + String.join(" ", args), "made-up sets", hardware);
        KeysReport report = new KeysReport(head, options.output().resolve(JSON), out);
        SearchLab lab = new SearchLab(options, report, backends);
        axis(lab, "corpora", Set.of("skew", "k", "updates"), true, new SearchSpeed(lab)::corpora);
        axis(lab, "documents", Set.of("documents"), true, new SearchSpeed(lab)::documents);
        boolean onCpu = backends.contains(BackendChoice.CPU);
        axis(lab, "shards", Set.of("shards"), onCpu, new SearchShards(lab)::run);
        axis(lab, "stream", Set.of("stream"), false, new SearchStreamBench(lab)::run);
        axis(lab, "lucene", Set.of("lucene"), false, new SearchLucene(lab)::run);
        axis(lab, "champion", Set.of("champion"), false, new SearchChampion(lab)::run);
        axis(lab, "engines", Set.of("engines"), false, new SearchEngines(lab)::run);
        SearchPlot.write(report.report(), options.output());
        return report.failures() > 0 ? 1 : 0;
    }

    /** Some figures. */
    @FunctionalInterface
    private interface Axis {
        void run() throws Exception;
    }

    /**
     * @param names one of them is wanted
     * @param byDefault or none at all
     */
    private static void axis(
            SearchLab lab, String name, Set<String> names, boolean byDefault, Axis axis) {
        List<String> wanted = lab.options().axes();
        if (wanted.isEmpty() ? !byDefault : wanted.stream().noneMatch(names::contains)) {
            return;
        }
        try {
            axis.run();
        } catch (Exception | LinkageError | OutOfMemoryError e) {
            lab.failed(name, e);
        }
    }
}
