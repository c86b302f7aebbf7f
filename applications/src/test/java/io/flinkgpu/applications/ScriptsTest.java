package io.flinkgpu.applications;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * Shell scripts and the files that Docker reads, as far as they can be checked without it.
 *
 * <p>Covers: examples/run, docker/jars.sh.
 */
class ScriptsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private record Result(int code, String out, String err) {}

    private static Result sh(Map<String, String> environment, String... args)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile("sh", ".out");
        Path err = Files.createTempFile("sh", ".err");
        try {
            ProcessBuilder builder = new ProcessBuilder(args).directory(ROOT.toFile());
            builder.environment().putAll(environment);
            builder.redirectOutput(out.toFile()).redirectError(err.toFile());
            int code = builder.start().waitFor();
            return new Result(code, Files.readString(out), Files.readString(err));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    private static Map<?, ?> yaml(String file) throws IOException {
        Load load = new Load(LoadSettings.builder().build());
        return (Map<?, ?>) load.loadFromString(Files.readString(ROOT.resolve(file)));
    }

    private static Object at(Object node, String... keys) {
        Object value = node;
        for (String key : keys) {
            assertThat(value).as("the node that holds '%s'", key).isInstanceOf(Map.class);
            value = ((Map<?, ?>) value).get(key);
        }
        return value;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "examples/run",
                "applications/kafka/failures.sh",
                "docker/run-job.sh",
                "docker/jars.sh",
                "benchmarks/run",
                "benchmarks/one-brc.sh",
                "benchmarks/set-search-champion.sh",
                "flink-gpu-operators/gpu-bundle.sh",
                "docs/site/build.sh"
            })
    void scriptsParse(String script) throws Exception {
        assertThat(sh(Map.of(), "sh", "-n", script)).isEqualTo(new Result(0, "", ""));
        assertThat(ROOT.resolve(script)).isExecutable();
    }

    @Test
    void launcherListsTheExamples() throws Exception {
        Result help = sh(Map.of(), "sh", "examples/run", "--help");
        assertThat(help.code()).isZero();
        assertThat(help.out())
                .contains(
                        "log-redaction",
                        "sensor-windows",
                        "near-duplicates",
                        "name-redaction",
                        "one-billion-rows",
                        "generate-measurements",
                        "generate-documents",
                        "score-clicks",
                        "kafka-redaction",
                        "kafka-sql",
                        "set-search",
                        "lookup",
                        "sql-redaction",
                        "sql FILE.sql",
                        "sql-qualify FOLDER");
        try (Stream<Path> programs = Files.list(Examples.SHORT)) {
            assertThat(programs.map(file -> file.getFileName().toString().replace(".java", "")))
                    .filteredOn(name -> !name.equals("package-info"))
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(help.out()).contains(" " + name));
        }
        assertThat(help.err()).isEmpty();
    }

    /** Their options would filter what {@code package} writes for {@code examples/run} as well. */
    @Test
    void jarsAreCollectedWithoutWritingTheClassPathsOfExamples() throws IOException {
        List<String> calls =
                Files.readString(ROOT.resolve("docker/jars.sh"))
                        .replace("\\\n", "")
                        .lines()
                        .filter(line -> line.startsWith("maven ") && line.contains("-Dinclude"))
                        .toList();
        assertThat(calls).hasSize(2).noneMatch(call -> call.contains(" package"));
    }

    @Test
    void launcherRefusesWhatItDoesNotKnow() throws Exception {
        assertThat(sh(Map.of(), "sh", "examples/run", "log-reduction"))
                .isEqualTo(
                        new Result(
                                2,
                                "",
                                "examples/run: unknown example 'log-reduction': see examples/run"
                                        + " --help\n"));
        assertThat(sh(Map.of(), "sh", "examples/run", "NoProgram").err())
                .isEqualTo("examples/run: unknown example 'NoProgram': see examples/run --help\n");
        assertThat(sh(Map.of(), "sh", "examples/run").code()).isEqualTo(2);
    }

    @Test
    void bundleScriptTellsWhatItLacks(@TempDir Path folder) throws Exception {
        Map<String, String> home = Map.of("BUNDLE_HOME", folder.resolve("home").toString());
        String script =
                Files.copy(ROOT.resolve("flink-gpu-operators/gpu-run.sh"), folder.resolve("run.sh"))
                        .toString();
        Result help = sh(home, "sh", script, "--help");
        assertThat(help.code()).isZero();
        assertThat(help.out())
                .contains(
                        "contract",
                        "one-billion-rows",
                        "generate-documents",
                        "set-search",
                        "near-duplicates",
                        "performance",
                        "peers, search and lookup have --help");
        Result unknown = sh(home, "sh", script, "gallop");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).startsWith("run.sh: unknown command 'gallop': commands are");
        Result bare = sh(home, "sh", script, "bench");
        assertThat(bare.code()).isEqualTo(2);
        assertThat(bare.err()).startsWith("run.sh: no bundle.tar.xz.* in '").hasLineCount(1);
        assertThat(folder.resolve("home")).doesNotExist();
    }

    /** A Java stands in that notes what it is to run, and fails for one part. */
    @Test
    void performanceGoesOnBehindAPartThatFails(@TempDir Path folder) throws Exception {
        String script =
                Files.copy(ROOT.resolve("flink-gpu-operators/gpu-run.sh"), folder.resolve("run.sh"))
                        .toString();
        Path java = folder.resolve("home/jre/bin/java");
        Files.createDirectories(java.getParent());
        Files.writeString(
                java,
                """
                #!/bin/sh
                echo "$@" | sed 's#.* \\(io.flinkgpu[^ ]*\\)#\\1#' >> '%s/ran'
                case "$*" in *KeysBench\\ lines*) exit 3 ;; esac
                """
                        .formatted(folder));
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Files.writeString(folder.resolve("home/commit"), "4e3");
        Files.createDirectories(folder.resolve("home/sql"));
        Files.createDirectories(folder.resolve("one-brc"));
        Files.createFile(folder.resolve("cudf-1.jar"));
        Map<String, String> home = Map.of("BUNDLE_HOME", folder.resolve("home").toString());
        Result all = sh(home, "sh", script, "performance", "--output", "out", "--input", "a b");
        assertThat(all.err()).isEmpty();
        assertThat(all.code()).isEqualTo(1);
        assertThat(all.out())
                .contains(
                        "s of at most 110, exit code 3",
                        "performance: windows took ",
                        "left out: search; put lengths.txt, and champion");
        List<String> ran = Files.readAllLines(folder.resolve("ran"));
        assertThat(ran)
                .extracting(line -> line.split(" ")[0].replaceAll(".*\\.", ""))
                .containsExactly(
                        "Bench",
                        "GenerateMeasurements",
                        "Peers",
                        "KeysBench",
                        "KeysBench",
                        "LookupBench");
        assertThat(ran).filteredOn(line -> line.contains("--output out")).hasSize(5);
        assertThat(ran.get(0)).endsWith("--input a b --output out");
        assertThat(ran.get(2))
                .contains(
                        " stations sql ",
                        " --measurements ",
                        "--cudf " + folder.resolve("cudf-1.jar"))
                .contains("--one-brc " + folder.resolve("one-brc"))
                .contains("--sql " + folder.resolve("home/sql"));
        Result quick = sh(home, "sh", script, "performance", "lookup", "--quick");
        assertThat(quick.code()).isZero();
        assertThat(Files.readAllLines(folder.resolve("ran")).get(6)).contains(" --quick ");
        Result mistake = sh(home, "sh", script, "performance", "plots");
        assertThat(mistake.code()).isEqualTo(2);
        assertThat(mistake.err())
                .isEqualTo("run.sh: no such part or option: 'plots'; see run.sh --help\n");
    }

    /** Lines that could not be made are not read; those that were made are gone once the run was ended. */
    @Test
    void peersLeaveNoLinesInMemory(@TempDir Path folder) throws Exception {
        String script =
                Files.copy(ROOT.resolve("flink-gpu-operators/gpu-run.sh"), folder.resolve("run.sh"))
                        .toString();
        Path java = folder.resolve("home/jre/bin/java");
        Path ran = folder.resolve("ran");
        Files.createDirectories(java.getParent());
        Files.writeString(folder.resolve("home/commit"), "4e3");
        Map<String, String> home = Map.of("BUNDLE_HOME", folder.resolve("home").toString());
        standIn(java, "*GenerateMeasurements*) exit 3 ;; *) echo $* > '%s' ;;".formatted(ran));
        assertThat(sh(home, "sh", script, "performance", "peers").code()).isEqualTo(1);
        assertThat(Files.readString(ran)).contains(".Peers ").doesNotContain("--measurements");

        Files.delete(ran);
        standIn(
                java,
                """
                *GenerateMeasurements*) for file; do :; done; echo 'a;1.0' > "$file" ;;
                *) echo $* > '%1$s.new'; mv '%1$s.new' '%1$s'; exec sleep 60 ;;"""
                        .formatted(ran));
        ProcessBuilder builder = new ProcessBuilder("sh", script, "performance", "peers");
        builder.environment().putAll(home);
        builder.redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile());
        Process process = builder.start();
        while (!Files.exists(ran) && process.isAlive()) {
            Thread.sleep(20);
        }
        String measurements =
                Files.readString(ran).replaceAll("(?s).*--measurements (\\S+).*", "$1");
        assertThat(Path.of(measurements)).exists();
        process.destroy();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(143);
        assertThat(Path.of(measurements).getParent()).doesNotExist();
    }

    /** A Java that does what its arguments are a case of. */
    private static void standIn(Path java, String cases) throws IOException {
        Files.writeString(java, "#!/bin/sh\ncase \"$*\" in\n" + cases + "\nesac\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
    }

    @Test
    void launcherAsksForAJdk(@TempDir Path folder) throws Exception {
        String missing = folder.resolve("bin/java").toString();
        assertThat(
                        sh(
                                Map.of("JAVA_HOME", folder.toString()),
                                "sh",
                                "examples/run",
                                "log-redaction"))
                .isEqualTo(
                        new Result(
                                2,
                                "",
                                "examples/run: no Java at '"
                                        + missing
                                        + "': install a JDK 17 or newer and set JAVA_HOME to it\n"));
        Files.createDirectory(folder.resolve("bin"));
        Files.writeString(
                Path.of(missing), "#!/bin/sh\necho 'openjdk version \"11.0.20\" 2023-07-18' >&2\n");
        assertThat(Path.of(missing).toFile().setExecutable(true)).isTrue();
        assertThat(
                        sh(
                                Map.of("JAVA_HOME", folder.toString()),
                                "sh",
                                "examples/run",
                                "log-redaction"))
                .isEqualTo(
                        new Result(
                                2,
                                "",
                                "examples/run: Java 11 at '"
                                        + missing
                                        + "' is too old: set JAVA_HOME to a JDK 17 or newer\n"));
    }

    @Test
    void composeFileStartsTheClusterAndTheJob() throws IOException {
        Map<?, ?> services = (Map<?, ?>) at(yaml("docker/compose.yaml"), "services");
        assertThat(services.keySet().stream().map(Object::toString))
                .containsExactlyInAnyOrder("jobmanager", "taskmanager", "redact");
        for (Object name : services.keySet()) {
            Map<Object, Object> service = merged((Map<?, ?>) services.get(name));
            assertThat(at(service, "build", "dockerfile")).isEqualTo("docker/Dockerfile");
            assertThat(at(service, "volumes")).isEqualTo(List.of("./in:/in:ro", "./out:/out"));
            assertThat(at(service, "environment", "JOB_MANAGER_RPC_ADDRESS"))
                    .isEqualTo(at(yaml("docker/config.yaml"), "jobmanager", "rpc", "address"));
        }
        assertThat(options(services)).containsSubsequence("--input", "/in", "--backend", "cpu");
    }

    @Test
    void overrideReservesAGpuForServicesThatExist() throws IOException {
        Map<?, ?> base = (Map<?, ?>) at(yaml("docker/compose.yaml"), "services");
        Map<?, ?> gpu = (Map<?, ?>) at(yaml("docker/compose.gpu.yaml"), "services");
        for (Object name : gpu.keySet()) {
            assertThat(base.get(name)).as("service %s", name).isNotNull();
        }
        List<?> devices =
                (List<?>) at(gpu, "taskmanager", "deploy", "resources", "reservations", "devices");
        assertThat(at(devices.get(0), "capabilities")).isEqualTo(List.of("gpu"));
        assertThat(options(gpu)).containsSubsequence("--backend", "cuda");
    }

    /** A node with what its YAML merge key brings, as Docker reads it. */
    private static Map<Object, Object> merged(Map<?, ?> node) {
        Map<Object, Object> all = new HashMap<>((Map<?, ?>) node.get("<<"));
        all.putAll(node);
        return all;
    }

    /** The options after the script, once they are known to be options of the example. */
    private static List<String> options(Map<?, ?> services) {
        List<String> command =
                ((List<?>) at(services, "redact", "command"))
                        .stream().map(Object::toString).toList();
        assertThat(command.get(0)).isEqualTo("/opt/flink/bin/run-job.sh");
        List<String> options = command.subList(1, command.size());
        assertThatCode(() -> Options.parse(options.toArray(String[]::new)))
                .doesNotThrowAnyException();
        return options;
    }

    @Test
    void imageTakesOnlyFilesThatExist() throws IOException {
        List<String> sources =
                Files.readAllLines(ROOT.resolve("docker/Dockerfile")).stream()
                        .filter(line -> line.startsWith("COPY") && !line.contains("--from="))
                        .map(line -> line.replaceAll("--\\S+ ", "").split(" ")[1])
                        .toList();
        assertThat(sources).contains("docker/config.yaml", "docker/run-job.sh");
        for (String source : sources) {
            assertThat(ROOT.resolve(source)).exists();
        }
    }

    @Test
    void configurationFitsTheOperators() throws IOException {
        Map<?, ?> config = yaml("docker/config.yaml");
        assertThat(at(config, "classloader", "parent-first-patterns", "additional"))
                .isEqualTo("jcuda.;org.apache.arrow.;io.flinkgpu.");
        assertThat((String) at(config, "env", "java", "opts", "all"))
                .contains("--add-opens=java.base/java.nio=ALL-UNNAMED");
    }
}
